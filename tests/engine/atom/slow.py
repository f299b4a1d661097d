"""A second opinion on "does A beat B": slow, literal, and written without the engine.

Cards are text as in the rules page: `7D`, `10S`, `RJ`. Every line of the table of docs/rules/atom.md, section
3.8 is one branch here, in the order in which the page gives them.
"""

from __future__ import annotations

from collections import Counter

LOW_TO_HIGH = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
SUITS_LOW_TO_HIGH = "DCHS"
TIERS = {
    ("atom", 3): 1,
    ("atom", 4): 2,
    ("nuke", 8): 3,
    ("atom", 5): 4,
    ("nuke", 12): 5,
    ("nuke", 16): 6,
    ("nuke", 20): 7,
}


def joker(card: str) -> bool:
    return card in ("RJ", "BJ")


def rank_of(cards: list[str]) -> str:
    """The rank of a play: that of its natural cards, or `joker`."""
    natural = [card[:-1] for card in cards if not joker(card)]
    return natural[0] if natural else "joker"


def legal(cards: list[str], blade: str) -> bool:
    ranks = {card[:-1] for card in cards if not joker(card)}
    if len(ranks) > 1:
        return False
    return not (ranks == {blade} and any(map(joker, cards)))


def sort_of(cards: list[str], packs: int) -> str:
    same = Counter(cards)
    if len(same) == 1 and len(cards) in (3, 4, 5):
        return "atom"
    if not any(map(joker, cards)):
        suits = Counter(card[-1] for card in cards)
        if len(suits) == 4 and len(set(suits.values())) == 1:
            each = suits["S"]
            if each == 2 or (packs == 5 and each in (3, 4, 5)):
                return "nuke"
    return "bomb" if len(cards) >= 4 else "few"


def height(rank: str, blade: str, as_three: bool) -> float:
    """How high a rank stands among cards that are neither atoms nor nukes."""
    if rank == "joker":
        return 0 if as_three and blade != "3" else -1
    return 100 if rank == blade else LOW_TO_HIGH.index(rank)


def atom_height(cards: list[str], blade: str) -> tuple[float, int]:
    if cards[0] == "RJ":
        return 99, 0
    if cards[0] == "BJ":
        return 98, 0
    rank = rank_of(cards)
    suits = {card[-1] for card in cards}
    suit = SUITS_LOW_TO_HIGH.index(cards[0][-1]) if len(suits) == 1 else 0
    return (100 if rank == blade else LOW_TO_HIGH.index(rank)), suit


def beats(new: list[str], old: list[str], blade: str, packs: int = 3, *, as_three: bool = False) -> bool:
    """Whether `new` may be laid on `old`; both are legal plays."""
    new_sort, old_sort = sort_of(new, packs), sort_of(old, packs)
    if new_sort in ("atom", "nuke"):
        if old_sort not in ("atom", "nuke"):
            return True
        new_tier, old_tier = TIERS[new_sort, len(new)], TIERS[old_sort, len(old)]
        if new_tier != old_tier:
            return new_tier > old_tier
        return atom_height(new, blade) > atom_height(old, blade)
    if old_sort in ("atom", "nuke"):
        return False
    new_blade, old_blade = rank_of(new) == blade, rank_of(old) == blade
    new_height, old_height = height(rank_of(new), blade, as_three), height(rank_of(old), blade, as_three)
    if new_sort == "few":
        if old_sort == "bomb" or old_blade or len(new) != len(old):
            return False
        return True if new_blade else new_height > old_height
    if old_blade:
        return False
    if old_sort == "few" or new_blade:
        return True
    return len(new) > len(old) or (len(new) == len(old) and new_height > old_height)
