"""What the rules force in a logged round of blackjack: which actions are allowed, how the dealer draws, who wins what.

Where nothing depends on the dealer's further cards (every hand bust or given up, a blackjack that the up card cannot
meet), he may draw or not: no option says. Whenever a hand waits for him, he must draw as the rules say, no more, no
less.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from exact.blackjack.cards import ACE, RANKS, TEN, best_total, hand_text
from exact.blackjack.dealer import HOLE_OF_BLACKJACK
from exact.blackjack.logchoices import SPOKEN, Choices, acted_after_peek, before_peek, is_natural
from exact.blackjack.logfile import Dealt, Fault, Hand
from exact.blackjack.player import Action
from exact.blackjack.rules import Rules

GIVEN_UP = (Action.SURRENDER, Action.FOLD)
# A hand's end with what a log may call it.
NAMES = {
    "bust": ("bust", "lose"), "blackjack": ("blackjack", "win"), "surrender": ("surrender", "lose"),
    "fold": ("fold", "lose"), "win": ("win",), "lose": ("lose",), "push": ("push",),
}  # fmt: skip


@lru_cache(maxsize=2**16)
def total_of(hand: Hand) -> tuple[int, bool]:
    """A hand's best total and whether it is soft.

    >>> total_of((0, 5)), total_of((9, 5, 9))
    ((17, True), (26, False))
    """
    return best_total(sum(hand) + len(hand), ACE in hand)


def ends_by_peek(rules: Rules, dealt: Dealt) -> bool:
    """Whether a dealer blackjack ended the round before the player acted."""
    return rules.hole_card == "peek" and is_natural(dealt.dealer[:2])


def play_faults(dealt: Dealt, choices: Choices) -> Iterator[Fault]:
    """What is wrong with the player's actions, up to the first fault of each hand."""
    rules = choices.rules
    if dealt.split and (fault := _not_allowed(choices, dealt.first, None, dealt.up, Action.SPLIT)):
        yield fault
        return
    if ends_by_peek(rules, dealt):
        quiet = all(action is Action.STAND and is_natural(dealt.first) for action in dealt.actions[0])
        if dealt.split or not (quiet or set(dealt.actions[0]) <= before_peek(rules)):
            seen = "split" if dealt.split else SPOKEN[dealt.actions[0][0]]
            yield Fault("rule", "played on after a dealer blackjack", "actions", "no action", seen, "hole_card")
            return
    for hand, actions in zip(dealt.hands, dealt.actions, strict=True):
        if fault := _hand_fault(dealt, choices, hand, actions):
            yield fault


def _hand_fault(dealt: Dealt, choices: Choices, hand: Hand, actions: tuple[Action, ...]) -> Fault | None:
    split = dealt.first[0] if dealt.split else None
    held, done = hand[:2], None
    for action in actions:
        if done is not None or total_of(held)[0] > 21:
            ended = f"a {SPOKEN[done]}" if done is not None else f"{total_of(held)[0]}, over 21"
            option = "double" if done is Action.DOUBLE else ""
            return Fault("rule", "acted after the end of the hand", ended, "no action", SPOKEN[action], option)
        if fault := _not_allowed(choices, held, split, dealt.up, action):
            return fault
        if action in (Action.HIT, Action.DOUBLE):
            held = hand[: len(held) + 1]
        done = None if action is Action.HIT else action
    if done is not None or total_of(held)[0] >= 21 or ends_by_peek(choices.rules, dealt):
        return None
    allowed = choices.allowed(held, split, dealt.up)
    if allowed == {Action.STAND}:
        return None
    return Fault("shape", "actions end before the hand", "actions", "S, or what the player did", hand_text(held))


def _not_allowed(choices: Choices, held: Hand, split: int | None, up: int, action: Action) -> Fault | None:
    allowed = choices.allowed(held, split, up)
    if action in allowed:
        return None
    where = f"{hand_text(held)}{' after a split' if split is not None else ''}"
    expected = " or ".join(SPOKEN[one] for one in sorted(allowed))
    option = _option(choices.rules, held, split, action)
    return Fault("rule", f"may not {SPOKEN[action]}", where, expected, SPOKEN[action], option)


def _option(rules: Rules, held: Hand, split: int | None, action: Action) -> str:
    """The option that forbids an action."""
    forced_pair = len(held) == 2 and held[0] == held[1] and held[0] in rules.split_pairs and rules.split_or_fold
    if rules.charlie is not None and len(held) >= rules.charlie:
        return "charlie"
    if split is not None and action is Action.SPLIT:
        return "split_hands"
    if split == ACE and rules.split_aces == "one-card":
        return "split_aces"
    if split is None and forced_pair and action not in (Action.SPLIT, Action.FOLD):
        return "split_or_fold"
    if action is Action.DOUBLE:
        soft = total_of(held)[1] and not rules.double_soft
        return "das" if split is not None and not rules.das else "double_soft" if soft else "double"
    named = {Action.SPLIT: "split_pairs", Action.SURRENDER: "surrender", Action.FOLD: "split_or_fold"}
    return named.get(action, "blackjack_pays" if is_natural(held) else "")


def dealer_faults(dealt: Dealt, rules: Rules, more: bool) -> Iterator[Fault]:
    """What is wrong with the dealer's cards; ``more`` says whether the shoe still had cards after the round."""
    dealer = dealt.dealer
    for number in range(2, len(dealer)):
        if dealer_stands(rules, dealer[:number]):
            yield Fault("rule", "dealer drew when it must stand", *_dealer(dealer[:number], "stand", "draw"), "soft17")
            return
    needed = cards_needed(dealt, rules)
    if more and len(dealer) < needed and len(dealer) == 1:
        yield Fault("rule", "dealer took no second card", *_dealer(dealer, "draw", "no card"), "hole_card")
    elif more and needed > 2 and not dealer_stands(rules, dealer):
        yield Fault("rule", "dealer stood when it must draw", *_dealer(dealer, "draw", "stand"), "soft17")


def _dealer(cards: Hand, expected: str, seen: str) -> tuple[str, str, str]:
    total, soft = total_of(cards)
    return f"dealer {'soft' if soft else 'hard'} {total}", expected, seen


def dealer_stands(rules: Rules, cards: Hand) -> bool:
    """Whether the dealer stops with these cards."""
    total, soft = total_of(cards)
    return len(cards) > 1 and (total > 17 or (total == 17 and not (soft and rules.soft17 == "hit")))


def cards_needed(dealt: Dealt, rules: Rules) -> int:
    """The dealer's cards that the round waits for: 1 the up card, 2 a second one, 3 all that the rules make draw."""
    hands = range(len(dealt.hands))
    if any(_waits(dealt, rules, hand) for hand in hands):
        return 3
    if acted_after_peek(rules, dealt) or dealt.up not in HOLE_OF_BLACKJACK:
        return 1
    return 2 if dealt.insured or any(_meets_blackjack(dealt, rules, hand) for hand in hands) else 1


def _waits(dealt: Dealt, rules: Rules, hand: int) -> bool:
    cards = dealt.hands[hand]
    won = (is_natural(cards) and not dealt.split) or _charlie(rules, cards)
    return not won and total_of(cards)[0] <= 21 and not any(action in GIVEN_UP for action in dealt.actions[hand])


def _meets_blackjack(dealt: Dealt, rules: Rules, hand: int) -> bool:
    """Whether a hand that no longer waits for the dealer's total still depends on whether he has a blackjack."""
    cards, actions = dealt.hands[hand], dealt.actions[hand]
    if Action.FOLD in actions:
        return False
    if Action.SURRENDER in actions:
        return rules.surrender == "late"
    if total_of(cards)[0] > 21:
        doubled = dealt.doubled(hand)
        return rules.bust_takes(dealt.up, doubled=doubled, split=dealt.split) != 1 + doubled
    return not (_charlie(rules, cards) and rules.charlie_beats_blackjack)


def _charlie(rules: Rules, cards: Hand) -> bool:
    return rules.charlie is not None and len(cards) >= rules.charlie and total_of(cards)[0] <= 21


def hand_net(dealt: Dealt, rules: Rules, hand: int) -> tuple[str, Fraction]:
    """How a hand ends, and what it nets in initial bets."""
    cards, actions, up = dealt.hands[hand], dealt.actions[hand], dealt.up
    doubled, split = dealt.doubled(hand), dealt.split
    (total, _), (dealer, _) = total_of(cards), total_of(dealt.dealer)
    blackjack = is_natural(dealt.dealer)
    if Action.FOLD in actions:
        return "fold", -rules.fold
    if Action.SURRENDER in actions:
        return "surrender", Fraction(-1) if blackjack and rules.surrender == "late" else Fraction(-1, 2)
    stake = Fraction(1 + doubled)
    if total > 21:
        return "bust", -rules.bust_takes(up, doubled=doubled, split=split) if blackjack else -stake
    if is_natural(cards) and not split:
        return ("push", Fraction(0)) if blackjack else ("blackjack", rules.blackjack_pays)
    if _charlie(rules, cards) and (rules.charlie_beats_blackjack or not blackjack):
        return "win", stake
    if blackjack and (total < 21 or rules.blackjack_beats_21):
        return "lose", -rules.blackjack_takes(up, doubled=doubled, split=split)
    if dealer > 21 or total > dealer:
        return "win", stake
    return ("push", Fraction(0)) if total == dealer else ("lose", -stake)


def due(dealt: Dealt, rules: Rules, net: bool, insurance: bool = True) -> Fraction:
    """What a round pays in initial bets, net or returned with everything staked, its insurance with it where asked."""
    ends = [hand_net(dealt, rules, hand)[1] for hand in range(len(dealt.hands))]
    staked = 0 if net else sum(1 + dealt.doubled(hand) for hand in range(len(dealt.hands)))
    main = sum(ends[1:], ends[0]) + staked
    return main + insurance_due(dealt, net) if insurance and dealt.insured else main


def insurance_due(dealt: Dealt, net: bool) -> Fraction:
    """What the insurance of a round pays in initial bets: 2:1 on a dealer blackjack (source: the option insurance)."""
    insured = dealt.insured or Fraction(0)
    return insured * ((2 if is_natural(dealt.dealer) else -1) + (0 if net else 1))


def stated_faults(dealt: Dealt, rules: Rules) -> Iterator[Fault]:
    """Totals and results that the log states otherwise than the cards do; an insurance that is not offered."""
    for side, hands in (("player", dealt.hands), ("dealer", (dealt.dealer,))):
        if not (stated := dealt.totals[side]):
            continue
        right = [str(total_of(hand)[0]) for hand in hands]
        good = len(stated) == len(right) and all(
            said == total or (said == "blackjack" and is_natural(hand) and not (dealt.split and side == "player"))
            for said, total, hand in zip(stated, right, hands, strict=True)
        )
        if not good:
            yield Fault("rule", "wrong total", f"{side}_total", " / ".join(right), " / ".join(stated))
    if dealt.results and not _result_fits(
        dealt.results, ends := [hand_net(dealt, rules, hand) for hand in range(len(dealt.hands))]
    ):
        yield Fault("rule", "wrong result", "result", " / ".join(end for end, _ in ends), " / ".join(dealt.results))
    if dealt.insured and (dealt.up != ACE or not rules.insurance):
        yield Fault("rule", "may not insure", f"up card {RANKS[dealt.up]}", "no insurance", "insurance", "insurance")
    elif dealt.insured and dealt.insured > Fraction(1, 2):
        yield Fault(
            "rule", "insured too much", "insurance", "at most 1/2 of the stake", str(dealt.insured), "insurance"
        )


def _result_fits(stated: tuple[str, ...], ends: list[tuple[str, Fraction]]) -> bool:
    if len(stated) == len(ends):
        return all(said in NAMES[end] for said, (end, _) in zip(stated, ends, strict=True))
    net = sum(net for _, net in ends)  # one word for two hands: the round's
    return stated == ("win" if net > 0 else "lose" if net < 0 else "push",)


def payment_option(dealt: Dealt, rules: Rules) -> str:
    """The option that decides what a round pays, for the reason of a wrong payment."""
    ends = [hand_net(dealt, rules, hand)[0] for hand in range(len(dealt.hands))]
    if any(end in ("surrender", "fold") for end in ends):
        return ends[0]
    if is_natural(dealt.dealer) and "lose" in ends:
        up = "ten" if dealt.up == TEN else "ace"
        special = "split" if dealt.split else "double" if any(map(dealt.doubled, range(len(ends)))) else ""
        return f"{up}_up_takes_{special}" if special else "hole_card"
    if any(_charlie(rules, hand) for hand in dealt.hands):
        return "charlie"
    return "blackjack_pays" if "blackjack" in ends else ""
