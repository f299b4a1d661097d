"""The presenter of Chemistry Canasta."""

from bot.presenters.chemistry import collect, lookups
from bot.presenters.poster import Difficulty, Emblem, Poster

PRESENTER = collect.presenter(
    "canasta",
    lookups.EVERY,
    Poster(
        emblem=Emblem("chemistry.wild", ("", 1)),
        minutes=15,
        difficulty=Difficulty.DEEP,
        options={"decks": "covalent", "rounds": 1},
    ),
    hand_height=1120,
    motifs={
        "pure_run": "cards",
        "many_runs": "peak",
        "borrower": "atom",
        "pure": "gem",
        "chemist_out": "flag",
        "great_round": "star",
        "every_round": "crown",
    },
)
