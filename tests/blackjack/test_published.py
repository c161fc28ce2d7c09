"""The printed figures of blackjack: every row ends as recorded, and a last digit is no more than that."""

from collections import Counter
from fractions import Fraction

from exact.published import check, published_files

PATH = next(path for path in published_files() if path.name == "blackjack.csv")


def test_every_figure_ends_as_recorded():
    found = check([PATH])
    assert len(found.findings) == 7399
    assert [finding.row.where for finding in found.differences] == []
    by_source = Counter(
        (finding.row["source"].split("/")[3] if "github" in finding.row["source"] else "pages", finding.ending)
        for finding in found.findings
    )
    assert sum(number for (source, _), number in by_source.items() if source == "nairnj") == 5280
    assert sum("/" in finding.row["printed"] and finding.ending == "agrees" for finding in found.findings) == 3
    # A last digit is an error of the source's arithmetic: at most 6.4e-6 in single precision, 1e-12 in double.
    single, double = Fraction("6.4e-6"), Fraction(1, 10**12)
    for finding in found.findings:
        if finding.ending == "last digit":
            bound = {"computed in single precision": single, "rounded the wrong way": Fraction("6e-7")}
            off = abs(Fraction(finding.row["printed"]) - finding.figure.value)
            assert off <= bound.get(finding.row["reason"], double), finding.row.where
