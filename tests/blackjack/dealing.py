"""A simulator of blackjack and a straight-line checker of its rounds: what ``exact verify log`` is held to.

Cards are values 1 to 10. A round is a dict of texts, as a row of a log. Who wins what is settled by ``brute``.
"""

from fractions import Fraction
from random import Random

from exact.blackjack.rules import Rules
from tests.blackjack.brute import HALF, Round, total_of


def legal(rules: Rules, cards, split) -> list[str]:
    """The letters of the actions that the rules allow a hand that is not over 21."""
    total, soft = total_of(cards)
    if len(cards) == 2 and sorted(cards) == [1, 10] and not split:
        return ["S"]
    if rules.charlie and len(cards) >= rules.charlie:
        return ["S"]
    if split and cards[0] == 1 and rules.split_aces == "one-card":
        return ["S"]
    pair = not split and len(cards) == 2 and cards[0] == cards[1] and cards[0] - 1 in rules.split_pairs
    if pair and rules.split_or_fold:
        return ["P", "F"]
    found = ["S", "H"]
    low, high = rules.double
    if len(cards) == 2 and low <= total <= high and (rules.double_soft or not soft) and (rules.das or not split):
        found.append("D")
    if pair:
        found.append("P")
    if len(cards) == 2 and not split and rules.surrender != "none":
        found.append("R")
    return found


def early(rules: Rules) -> str:
    """The letters of giving up before the dealer peeks."""
    return "RF" if rules.surrender == "early" else "F"


def pays(rules: Rules, hands, doubled, given_up, dealer) -> Fraction:
    """The net result of a round in initial bets; ``given_up`` is R, F or ""."""
    blackjack = len(dealer) == 2 and total_of(dealer)[0] == 21
    if given_up == "F":
        return -rules.fold
    if given_up == "R":
        return Fraction(-1) if blackjack and rules.surrender == "late" else -HALF
    if len(hands) == 1 and sorted(hands[0]) == [1, 10]:
        return Fraction(0) if blackjack else rules.blackjack_pays
    table = Round(rules, (*hands[0][:2], dealer[0]))
    table.dealer = lambda used: dealer
    return Fraction(table.settle(list(zip(hands, doubled, strict=True)), 0))


def deal(rng: Random, rules: Rules, decks: int, choose) -> dict[str, str]:
    """A round as a row; ``choose(cards, letters, up, split)`` picks one of the letters that are allowed."""
    shoe = [value for value in range(1, 11) for _ in range(decks * (16 if value == 10 else 4))]
    cards = iter(rng.sample(shoe, 45))
    first, up, hole = (next(cards), next(cards)), next(cards), next(cards)
    stake = rng.choice([2, 10, 25])
    insured = up == 1 and rules.insurance and rng.random() < 0.3
    hands, acts, split, given_up = [list(first)], [""], False, ""
    ended = rules.hole_card == "peek" and sorted((up, hole)) == [1, 10]
    letter = choose(first, legal(rules, first, 0), up, 0)
    if letter in early(rules) or not ended:
        if letter in "RF":
            given_up, acts = letter, [letter]
        else:
            split = letter == "P"
            hands = [[first[0], next(cards)], [first[1], next(cards)]] if split else hands
            acts = [play(rules, hand, cards, choose, up, split, "" if split else letter) for hand in hands]
    dealer = [up, hole]
    while not stands(rules, dealer):
        dealer.append(next(cards))
    over = all(total_of(hand)[0] > 21 for hand in hands) or given_up == "F"
    if over and not insured and (rules.hole_card != "original-bets" or up not in (1, 10)) and rng.random() < 0.5:
        dealer = dealer[:1]
    doubled = [mine.endswith("D") for mine in acts]
    amount = Fraction(stake, 2) if insured else Fraction(0)
    returned = stake * (len(hands) + sum(doubled) + pays(rules, hands, doubled, given_up, dealer))
    returned += 3 * amount if insured and sorted(dealer[:2]) == [1, 10] else 0
    spoken = " / ".join(" ".join(mine) for mine in acts)
    return {
        "stake": str(stake),
        "insurance": str(float(amount)) if insured else "",
        "player": " / ".join(" ".join(map(str, hand)) for hand in hands),
        "dealer": " ".join(map(str, dealer)),
        "actions": f"P {spoken}" if split else spoken,
        "paid": decimal(returned),
    }


def decimal(amount: Fraction) -> str:
    """An amount of cents as text."""
    assert (amount * 100).denominator == 1
    return f"{int(amount * 100) // 100}.{int(amount * 100) % 100:02}"


def play(rules, hand, cards, choose, up, split, letter) -> str:
    """The letters of one hand played to its end; its cards are added to it. A 21 stands without a word."""
    said = ""
    while total_of(hand)[0] < 21:
        allowed = legal(rules, hand, split)
        if allowed == ["S"]:
            return said
        letter = letter or choose(hand, [one for one in allowed if one in "SHD"], up, hand[0] if split else 0)
        said += letter
        if letter == "S":
            return said
        hand.append(next(cards))
        if letter == "D":
            return said
        letter = ""
    return said


def stands(rules, dealer) -> bool:
    total, soft = total_of(dealer)
    return len(dealer) > 1 and (total > 17 or (total == 17 and not (soft and rules.soft17 == "hit")))


def sound(rules: Rules, row: dict[str, str]) -> bool:
    """Whether a row of whole numbers and letters is a round by the rules, paid rightly."""
    hands = [[int(card) for card in hand.split()] for hand in row["player"].split("/")]
    dealer = [int(card) for card in row["dealer"].split()]
    acts = [part.replace(" ", "") for part in row["actions"].split("/")]
    if not dealer or min(map(len, hands)) < 2:
        return False
    up, split = dealer[0], acts[0].startswith("P")
    ended = rules.hole_card == "peek" and sorted(dealer[:2]) == [1, 10]
    if split:
        acts[0] = acts[0][1:]
    first = [hand[0] for hand in hands] if split else hands[0][:2]
    if acts == [""] and split:
        acts = ["", ""]
    if len(hands) != 1 + split or len(acts) != len(hands):
        return False
    if split and (ended or "P" not in legal(rules, first, 0)):
        return False
    if ended and acts[0] not in ("", *early(rules)) and not (acts[0] == "S" and sorted(first) == [1, 10]):
        return False
    if not all(_hand_sound(rules, hand, mine, split, ended) for hand, mine in zip(hands, acts, strict=True)):
        return False
    if any(stands(rules, dealer[:number]) for number in range(2, len(dealer))):
        return False
    insured = Fraction(row["insurance"] or "0") / Fraction(row["stake"])
    if insured and (up != 1 or not rules.insurance or not 0 < insured <= HALF):
        return False
    given_up = acts[0] if acts[0] in ("R", "F") else ""
    doubled = [mine.endswith("D") for mine in acts]
    if not _dealer_done(rules, hands, doubled, split, given_up, dealer, insured):
        return False
    net = pays(rules, hands, doubled, given_up, dealer)
    back = 3 * insured if sorted(dealer) == [1, 10] else 0
    return Fraction(row["paid"]) == Fraction(row["stake"]) * (len(hands) + sum(doubled) + net + back)


def _hand_sound(rules, hand, letters, split, ended) -> bool:
    held = hand[:2]
    rest = hand[2:]
    over = False
    for letter in letters:
        if over or total_of(held)[0] > 21 or letter not in legal(rules, held, split) or letter == "P":
            return False
        if letter in "HD":
            if not rest:
                return False
            held = [*held, rest.pop(0)]
        over = letter != "H"
    finished = over or ended or total_of(held)[0] >= 21 or legal(rules, held, split) == ["S"]
    return not rest and finished


def _dealer_done(rules, hands, doubled, split, given_up, dealer, insured) -> bool:
    """Whether the dealer may stop here: he is done, or every end that he could still come to pays the same."""
    if stands(rules, dealer):
        return True
    natural = not split and sorted(hands[0]) == [1, 10]
    peeked = rules.hole_card == "peek" and not natural and given_up not in list(early(rules))
    ends, results, met = [[*dealer]], set(), set()
    while ends:
        cards = ends.pop()
        blackjack = sorted(cards) == [1, 10]
        if (blackjack and peeked) or (key := (total_of(cards), min(len(cards), 3))) in met:
            continue
        met.add(key)
        if stands(rules, cards):
            results.add((pays(rules, hands, doubled, given_up, cards), bool(insured) and blackjack))
            if len(results) > 1:
                return False
        else:
            ends += [[*cards, card] for card in range(1, 11)]
    return True
