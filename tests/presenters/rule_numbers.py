"""The constant behind each number in the rules texts, by the key of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final

from engine import catalog
from engine.atom import cards as atom
from engine.atom.plays import ATOM_TIERS, LEAST_BOMB, NUKE_TIERS
from engine.atom.scoring import DOUBLE, EACH, FEW, SINGLE
from engine.atom_duel import cards as duel
from engine.atom_duel.evaluate import NITROGEN_TAKES
from engine.atom_duel.game import SEATS
from engine.atom_duel.powers import PEEKS
from engine.chemistry.battle.rounds import DEALS
from engine.chemistry.deck import BASIC, COMPOUNDS, LAWS
from engine.chemistry.moves import RUN
from engine.chemistry.observation import HAND as DRAWN_HAND
from engine.chemistry.observation import ROW as OPEN
from engine.chemistry.observation import SOLO_DRY
from engine.chemistry.scoring import COMPOUND, ELEMENT_LEFT, RUN_CARD, TARGET, WILD_LEFT
from engine.duel52.cards import LONE, POINTS, SHEET, TURN, VAMPIRES, VARIANTS
from engine.duel52.marks import QUIET
from engine.elements import BY_SYMBOL, ELEMENTS
from engine.molecular.cards import BOX, EDGES, GROUP, TILE, VALENCE
from engine.molecular.cards import COPIES as TILES_OF
from engine.playing_cards import JACK, KING, RANK_LABELS, RANKS, TEN

Numbers = Iterable[int]


def z(*symbols: str) -> list[int]:
    """Return the atomic numbers of elements."""
    return [BY_SYMBOL[symbol].z for symbol in symbols]


def option(game: str, key: str) -> tuple[int, ...]:
    """Return the default of an option, then its other values."""
    found = next(each for each in catalog.get(game).options if each.key == key)
    return tuple(map(int, (found.default, *(value for value in found.values if value != found.default))))


def with_power(*powers: str) -> list[int]:
    """Return the ranks of Duel 52 that have these powers, as the number printed on the card."""
    labels = {card.power: RANK_LABELS[rank] for rank, card in enumerate(SHEET.cards)}
    return [int(labels[power]) for power in powers]


def levels(*powers: str) -> list[int]:
    """Return the levels of Atom Duel that bring in these powers."""
    return [duel.POWER_LEVEL[power] for power in powers]


def count(power: str) -> int:
    """Return how many cards of Atom Duel have a power."""
    return sum(power in card.powers for card in duel.DECK.cards)


DUEL_HAND, DUEL_LONG_HAND = option("atom_duel", "hand_size")
DUEL_ROUNDS = option("atom_duel", "rounds")[0]
ROUNDS = option("compound_capture", "rounds")[0]
_PLAIN = duel.TABLES[duel.LEVELS].plain
ZINC = (_PLAIN[duel.WITH_ZINC][1][0] - _PLAIN[0][1][0]) // 2
TAKEN = NITROGEN_TAKES // 2
HIGHEST = [each.z for each in duel.DECK.cards if {"scientist", "laboratory"} & set(each.powers)]
UNIQUE = sum(card.unique is not None for card in duel.DECK.cards)
MORE_THAN_TWO, MOST_DUEL = min(seats for seats in SEATS if seats > 2), max(SEATS)
RADIATION = [card.z for card in duel.DECK.cards if "radioactive" in card.powers]
FIRST_RADIATION = [now for last, now in pairwise((0, *RADIATION)) if now != last + 1]
FOUR, FIVE = atom.PACKS
PACKS_OF_FOUR, PACKS_OF_FIVE = atom.PACKS.values()
POINT_CARDS = [points for points in dict.fromkeys(atom.POINTS) if points]
PER_PACK = 4 * sum(atom.POINTS)
IN_FOUR, IN_FIVE = PER_PACK * PACKS_OF_FOUR, PER_PACK * PACKS_OF_FIVE
FIVES, TENS, KINGS = (4 * PACKS_OF_FOUR * atom.POINTS[rank] for rank in (3, TEN, KING))
NUKES = [4 * each for each in NUKE_TIERS]
CARDS_OF_FOUR = PACKS_OF_FOUR * atom.CARDS
STANDARD, QUICK, LONG, TRIANGLES, TEAMS = (
    VARIANTS[key] for key in ("standard", "quick", "long", "triangles", "teams")
)
SUITS_OF_A_RANK = 4
VAMPIRIC = [int(RANK_LABELS[rank]) for rank in sorted(VAMPIRES)]
SUPPLY = Counter[str]()
for _tile, _copies in zip(BOX.tiles, TILES_OF, strict=True):
    SUPPLY[_tile.element] += _copies
BASE = {name: BOX.groups[number].base for name, number in GROUP.items()}
ROUNDS_OF = dict(enumerate(BOX.meta.rounds, 1))
SIZES = sorted(DEALS)
COLLECT = {
    game: {decks: catalog.get(game).seats({"decks": decks}) for decks in ("both", "covalent")}
    for game in ("compound_capture", "canasta")
}
EVERY_ROUND_POINTS = (COMPOUND, -ELEMENT_LEFT, -WILD_LEFT)
O_TWO_SINGLE = [name for name in TILE if name.startswith("O11-")]

ATOM: Mapping[str, Numbers] = {
    "atom.blurb": (PACKS_OF_FOUR, PACKS_OF_FIVE),
    "atom.about": (FOUR, PACKS_OF_FOUR, FIVE, PACKS_OF_FIVE),
    "atom.option.jokers_lowest_note": (3,),  # the rank that the option `three` names
    "atom.option.jokers_three": (3,),
    "atom.option.jokers_three_note": (3, FIVE),
    "atom.rules.begin": (FOUR, PACKS_OF_FOUR, FIVE, PACKS_OF_FIVE, *POINT_CARDS, IN_FOUR),
    "atom.rules.begin_example": (9, 3, 10),
    "atom.rules.turn_example": (5, 10, sum(POINT_CARDS) + atom.POINTS[KING]),
    "atom.rules.turn_head": (sum(POINT_CARDS) + atom.POINTS[KING],),
    "atom.rules.hands": (min(ATOM_TIERS), LEAST_BOMB, min(NUKES), 2),  # the rank 2
    "atom.rules.hands_example": (7,),
    "atom.rules.beating": (2, 3),  # ranks in their order
    "atom.rules.beating_example": (7, 3),
    "atom.rules.beating_head": (7,),
    "atom.rules.ending": (FOUR,),
    "atom.rules.ending_example": (60, 20),
    "atom.rules.ending_head": (20,),
    "atom.rules.ending_captions": (atom.POINTS[KING], atom.POINTS[TEN], 0),
    "atom.rules.score_title": (FOUR,),
    "atom.rules.score": (SINGLE, DOUBLE, FEW, IN_FOUR, 2 * IN_FOUR),
    "atom.rules.score_example": (200, IN_FOUR - 200, FEW),
    "atom.rules.score_head": (FIVES, TENS, KINGS, IN_FOUR),
    "atom.rules.score_captions": (4 * PACKS_OF_FOUR, *POINT_CARDS),
    "atom.rules.five_title": (FIVE,),
    "atom.rules.five": (FIVE, PACKS_OF_FIVE, atom.CARDS, IN_FIVE, *ATOM_TIERS, *NUKES, FEW, EACH),
    "atom.rules.tips": (7, FIVE),
    "atom.rules.decided": (FOUR, 2, CARDS_OF_FOUR // FOUR + 1, 4 * PACKS_OF_FOUR, IN_FOUR),
}
ATOM_DUEL: Mapping[str, Numbers] = {
    "atom_duel.blurb": (len(ELEMENTS), duel.LEVELS),
    "atom_duel.about": (len(ELEMENTS),),
    **{f"atom_duel.option.level_{level}": (level,) for level in range(1, duel.LEVELS + 1)},
    "atom_duel.option.level_4_note": (count("stopper"),),
    "atom_duel.option.level_5_note": (MORE_THAN_TWO,),
    "atom_duel.option.level_7_note": (UNIQUE,),
    "atom_duel.option.hand_size_5_note": (DUEL_HAND,),
    "atom_duel.option.rounds_value_note": (DUEL_HAND, DUEL_LONG_HAND),
    "atom_duel.rules.begin": (*z("H", "Og"), DUEL_HAND, DUEL_LONG_HAND, DUEL_ROUNDS, 1),
    "atom_duel.rules.begin_example": z("Np", "Pd", "Ca"),
    "atom_duel.rules.begin_captions": z("Np", "Pd", "Ca"),
    "atom_duel.rules.turn": (1, len(duel.CARDS)),
    "atom_duel.rules.turn_example": z("Au", "B", "Pb"),
    "atom_duel.rules.turn_captions": z("Au", "B", "Pb"),
    "atom_duel.rules.levels_title": (duel.LEVELS,),
    "atom_duel.rules.levels": (MORE_THAN_TWO, UNIQUE),
    "atom_duel.rules.levels_example": (*z("Cr"), 1, *levels("laser", "alloy")),
    "atom_duel.rules.levels_captions": (
        *(1, *levels("laser", "alloy"), duel.LEVELS),
        *(level - 1 for level in levels("laser", "alloy")),
    ),
    "atom_duel.rules.ending": (DUEL_ROUNDS,),
    "atom_duel.rules.ending_example": (7, 2, *z("Og", "U")),
    "atom_duel.rules.level_1_example": z("Ra", "Th", "Mc"),
    "atom_duel.rules.level_2": (
        *(count("scientist"), count("laboratory"), len(HIGHEST)),
        *(min(HIGHEST), max(HIGHEST)),
    ),
    "atom_duel.rules.level_2_example": z("Es", "Db"),
    "atom_duel.rules.level_2_captions": z("As", "Es"),
    "atom_duel.rules.level_3": (count("laser"),),
    "atom_duel.rules.level_3_example": z("Ne", "U"),
    "atom_duel.rules.level_3_captions": z("Ne"),
    "atom_duel.rules.level_4": (len(RADIATION), *FIRST_RADIATION),
    "atom_duel.rules.level_4_example": z("B", "U", "Au"),
    "atom_duel.rules.level_4_captions": z("B", "U", "Au"),
    "atom_duel.rules.level_5": (count("alloy"), *levels("magnet")),
    "atom_duel.rules.level_5_example": (*z("Mn", "Pd", "Lu"), sum(z("Mn", "Pd"))),
    "atom_duel.rules.level_5_head": (*z("Lu"), sum(z("Mn", "Pd"))),
    "atom_duel.rules.level_5_captions": (*z("Mn", "Pd", "Lu"), sum(z("Mn", "Pd"))),
    "atom_duel.rules.level_6_example": (*z("Co", "Bh", "Ta"), sum(z("Co", "Ta"))),
    "atom_duel.rules.level_6_captions": (*z("Co", "Bh", "Ta"), 2),  # halved
    "atom_duel.rules.level_7": (UNIQUE, ZINC, PEEKS, TAKEN, 0),
    "atom_duel.rules.level_7_example": (*z("N", "Au"), TAKEN, z("Au")[0] - TAKEN),
    "atom_duel.rules.level_7_head": (TAKEN,),
    "atom_duel.rules.level_7_captions": (*z("N", "Au"), TAKEN, z("Au")[0] - TAKEN),
    "atom_duel.rules.two_players": (MORE_THAN_TWO, MOST_DUEL, duel.UNIQUE_LEVEL),
    "atom_duel.rules.two_players_example": z("Fe", "Pt"),
    "atom_duel.rules.two_players_captions": z("Fe", "Pt"),
    "atom_duel.rules.evaluation": (ZINC, TAKEN, 0, 3),  # the three principles below
    "atom_duel.rules.evaluation_example": (
        *(*z("Co", "Bh", "Ta"), sum(z("Co", "Ta")), z("Bh")[0] // 2),
        *(4, 7, 8),  # steps of `evaluation`
    ),
    "atom_duel.rules.evaluation_captions": (*z("Co", "Bh", "Ta"), 2),
    "atom_duel.rules.ties": (*z("Lu", "Mn", "Pd", "Po", "N"), z("Po")[0] - TAKEN, TAKEN, ZINC),
    "atom_duel.rules.ties_example": z("Lu", "Mn", "Pd"),
    "atom_duel.rules.ties_head": z("Lu"),
    "atom_duel.rules.ties_captions": (*z("Lu", "Mn", "Pd"), sum(z("Mn", "Pd"))),
    "atom_duel.rules.last_round_title": (duel.UNIQUE_LEVEL,),
    "atom_duel.rules.last_round": (duel.UNIQUE_LEVEL,),
    "atom_duel.rules.rulings": (3, 4, 5, 0, *z("Bh"), z("Bh")[0] // 2, TAKEN, ZINC, duel.UNIQUE_LEVEL),
    "atom_duel.rules.rulings_more": (PEEKS, 0),
    "atom_duel.rules.decided": (DUEL_HAND, DUEL_ROUNDS, 1, *levels("laser", "magnet"), duel.UNIQUE_LEVEL),
}
CHEMISTRY: Mapping[str, Numbers] = {
    "canasta.blurb": (RUN,),
    "canasta.about": (len(BASIC),),
    "chemistry.option.decks_both_note": (2 * COMPOUNDS, max(COLLECT["compound_capture"]["both"])),
    "chemistry.option.decks_covalent_note": (COMPOUNDS,),
    "chemistry.option.decks_ionic_note": (COMPOUNDS,),
    "chemistry.option.rounds_10": (TARGET,),
    "chemistry.option.rounds_10_note": (TARGET, ROUNDS),
    "chemistry.option.capture_rounds_1_note": (TARGET, 7, 10),  # 71 % of 535 games
    "chemistry_battle.blurb": (len(BASIC),),
    "chemistry_battle.about": (len(BASIC),),
    "chemistry.rules.battle_begin": (*z("H", "Xe"), 6),  # from six years on
    "chemistry.rules.battle_begin_example": z("Fe", "Xe"),
    "chemistry.rules.battle_begin_captions": z("Fe", "Xe"),
    "chemistry.rules.battle_turn": (4, 5, len(BASIC) - 5 * DEALS[5]),
    "chemistry.rules.battle_turn_example": z("Sn", "I", "Ne"),
    "chemistry.rules.battle_ending_example": (len(BASIC) // 2,),
    "chemistry.rules.battle_ending_head": (len(BASIC) // 2,),
    "chemistry.rules.battle_ending_captions": (len(BASIC) // 2,),
    "chemistry.rules.battle_table_title": (max(SIZES),),
    "chemistry.rules.battle_table": (
        *(*SIZES[1:], *DEALS.values()),
        *(len(BASIC) - seats * DEALS[seats] for seats in (4, 5)),
    ),
    "chemistry.rules.battle_table_example": (4, DEALS[4], 4 * DEALS[4]),
    "chemistry.rules.battle_decided": (3, DEALS[2], 3 * DEALS[2], DEALS[3]),
    "chemistry.rules.capture_begin": (OPEN, DRAWN_HAND),  # from seven years on
    "chemistry.rules.capture_begin_example": (COMPOUND,),
    "chemistry.rules.capture_begin_captions": (COMPOUND,),
    "chemistry.rules.capture_turn_captions": (COMPOUND,),
    "chemistry.rules.capture_cards": (
        *(max(seats) for seats in COLLECT["compound_capture"].values()),
        -WILD_LEFT,
    ),
    "chemistry.rules.capture_ending": (*EVERY_ROUND_POINTS, TARGET, ROUNDS, SOLO_DRY),
    "chemistry.rules.capture_ending_example": (*EVERY_ROUND_POINTS, COMPOUND + ELEMENT_LEFT + WILD_LEFT),
    "chemistry.rules.capture_ending_head": (*EVERY_ROUND_POINTS, COMPOUND + ELEMENT_LEFT + WILD_LEFT),
    "chemistry.rules.capture_ending_captions": EVERY_ROUND_POINTS,
    "chemistry.rules.canasta_begin": (len(BASIC), OPEN, RUN, 8),  # from eight years on
    "chemistry.rules.canasta_begin_example": (*z("Al", "Si", "P"), RUN * RUN_CARD),
    "chemistry.rules.canasta_begin_head": (RUN,),
    "chemistry.rules.canasta_begin_captions": z("Al", "Si", "P"),
    "chemistry.rules.canasta_turn": (RUN,),
    "chemistry.rules.canasta_turn_captions": (COMPOUND,),
    "chemistry.rules.canasta_runs": (RUN, *z("H", "Xe", "Na", "Mg", "Al", "Si")),
    "chemistry.rules.canasta_runs_example": z("Tc", "Ru", "Rh"),
    "chemistry.rules.canasta_runs_head": z("Ru"),
    "chemistry.rules.canasta_ending": (*EVERY_ROUND_POINTS, RUN_CARD, TARGET, ROUNDS),
    "chemistry.rules.canasta_ending_example": (
        *(*EVERY_ROUND_POINTS, RUN * RUN_CARD),
        COMPOUND + RUN * RUN_CARD + ELEMENT_LEFT + WILD_LEFT,
    ),
    "chemistry.rules.canasta_ending_head": (
        *(*EVERY_ROUND_POINTS, RUN * RUN_CARD),
        COMPOUND + RUN * RUN_CARD + ELEMENT_LEFT + WILD_LEFT,
    ),
    "chemistry.rules.canasta_ending_captions": (*EVERY_ROUND_POINTS, RUN * RUN_CARD),
    "chemistry.rules.canasta_out_captions": (RUN,),
    "chemistry.rules.collect_decided": (SOLO_DRY, ROUNDS),
    "chemistry.rules.deck_covalent": (LAWS,),
    "chemistry.rules.deck_ionic": (LAWS,),
}
DUEL52: Mapping[str, Numbers] = {
    "duel52.blurb": (STANDARD.lanes,),
    "duel52.tagline": (STANDARD.lanes,),
    "duel52.about": (52, 2017),  # the name of the game, and its year
    "duel52.option.vampiric": VAMPIRIC,
    "duel52.option.standard_note": (STANDARD.seats, 25),  # minutes
    "duel52.option.quick_note": (QUICK.seats, 15),
    "duel52.option.long_note": (LONG.seats, 40),
    "duel52.option.solo_note": (1,),
    "duel52.option.triangles_note": (TRIANGLES.seats, TRIANGLES.lanes),
    "duel52.option.teams_note": (TEAMS.sides,),
    "duel52.option.vampiric_on_note": (*VAMPIRIC, 1),
    "duel52.option.vampiric_off_note": VAMPIRIC,
    "duel52.rules.begin": (STANDARD.lanes, LONE, 52),
    "duel52.rules.begin_example": (1,),
    "duel52.rules.turn": (TURN, 1, LONE),  # a pair deals 2
    "duel52.rules.turn_captions": (LONE,),
    "duel52.rules.fight": (LONE, POINTS[JACK], *with_power("trap")),
    "duel52.rules.fight_example": (LONE - 1, *with_power("retaliate")),
    "duel52.rules.fight_head": with_power("retaliate"),
    "duel52.rules.fight_captions": (LONE - 1,),
    "duel52.rules.ending": (QUIET,),
    "duel52.rules.ending_example": (1, 2),
    "duel52.rules.ending_captions": range(1, STANDARD.lanes + 1),
    "duel52.rules.powers_low_title": with_power("view", "heal"),
    "duel52.rules.powers_low_example": with_power("heal"),
    "duel52.rules.powers_high_title": with_power("retaliate"),
    "duel52.rules.powers_high_example": with_power("nimble"),
    "duel52.rules.power_vampiric": VAMPIRIC,
    "duel52.rules.vampiric": (*VAMPIRIC, 1),
    "duel52.rules.variant": (TURN,),
    "duel52.rules.standard": (
        *(25, STANDARD.hand, STANDARD.lanes, STANDARD.aside),
        *with_power("freeze", "twinstrike"),
    ),
    "duel52.rules.standard_example": (STANDARD.aside, SUITS_OF_A_RANK - 1, SUITS_OF_A_RANK),
    "duel52.rules.quick": (15, QUICK.aside),
    "duel52.rules.quick_example": (QUICK.aside,),
    "duel52.rules.long": (40, RANKS * SUITS_OF_A_RANK, *with_power("view", "foresight")),
    "duel52.rules.long_example": (*with_power("twinstrike"), SUITS_OF_A_RANK - 1, SUITS_OF_A_RANK),
    "duel52.rules.solo": (*VAMPIRIC, 1),
    "duel52.rules.triangles": (TRIANGLES.seats, TRIANGLES.lanes, *with_power("twinstrike", "freeze")),
    "duel52.rules.triangles_example": (1, 4),
    "duel52.rules.teams": (TEAMS.lanes, *with_power("heal", "call", "foresight")),
    "duel52.rules.rulings_attack": (
        *with_power("twinstrike", "nimble", "retaliate", "trap", "call"),
        *(1, LONE, POINTS[JACK]),
    ),
    "duel52.rules.rulings_powers": with_power("view", "foresight", "call", "freeze", "heal", "nimble"),
}
MOLECULAR: Mapping[str, Numbers] = {
    "molecular.about": (2015,),
    "molecular.option.rounds_auto_note": (4, 8),
    "molecular.option.bond_points_orders_note": (1, 2, 3),  # the orders of bonds
    "molecular.option.bond_points_edges_note": (1,),
    "molecular.rules.begin": (BOX.meta.pool, BOX.meta.hand, EDGES, *(VALENCE[each] for each in "NC")),
    "molecular.rules.begin_example": (1,),
    "molecular.rules.begin_head": (len(VALENCE),),
    "molecular.rules.begin_captions": VALENCE.values(),
    "molecular.rules.turn": (1, 2, 3),
    "molecular.rules.turn_example": (2, BASE["ether"]),
    "molecular.rules.turn_captions": (2, BASE["ether"]),
    "molecular.rules.tiles_example": (2,),
    "molecular.rules.tiles_head": (2,),
    "molecular.rules.tiles_captions": (2,),
    "molecular.rules.supply": (
        *(SUPPLY.total(), *SUPPLY.values()),
        *(len(BOX.tiles), VALENCE["C"]),
    ),
    "molecular.rules.supply_example": (len(O_TWO_SINGLE), EDGES // 2),
    "molecular.rules.supply_head": (len(O_TWO_SINGLE),),
    "molecular.rules.groups": (
        *(len(BOX.groups), sum(group.copies for group in BOX.groups)),
        *(BASE["alkene"], BASE["diacid"], 1, 4, 0),  # the 1,4-diacid
    ),
    "molecular.rules.groups_example": (BASE["ether"], 1, BASE["ether"] + 1),
    "molecular.rules.groups_head": (3,),
    "molecular.rules.groups_captions": (BASE["alkene"], BASE["ether"], BASE["diacid"]),
    "molecular.rules.effectors": (sum(card.copies for card in BOX.effectors), len(BOX.effectors), 0),
    "molecular.rules.effectors_example": (3, 4),
    "molecular.rules.ending": (4, 8, *(ROUNDS_OF[seats] for seats in (1, 2, 4, 8))),
    "molecular.rules.ending_example": (1, BASE["benzene"]),
    "molecular.rules.ending_captions": (BASE["benzene"],),
    "molecular.rules.details": (1, 3),
    "molecular.rules.decided": (
        *(BASE["ether"], BASE["diacid"], 2, 1, 0),
        *(3, 5, 6, 7, *(ROUNDS_OF[seats] for seats in (3, 5, 6, 7)), ROUNDS_OF[1]),
    ),
}
TIED: Final[Mapping[str, Numbers]] = {**ATOM, **ATOM_DUEL, **CHEMISTRY, **DUEL52, **MOLECULAR}
"""The numbers from three upwards, and all digits, that a text may hold, by its key."""
IN_CHINESE: Final[Mapping[str, Numbers]] = {
    "atom.rules.hands": (5, 6, 7, 8, 9, 10),  # every rank is named
    "atom.rules.hands_example": (3,),
    "atom.rules.tips": (3,),
    "atom_duel.rules.last_round_captions": (3,),
    "duel52.rules.teams": (TEAMS.sides,),
}
"""The numbers that only the Chinese texts name."""
