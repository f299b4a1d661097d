"""The presenter of Compound Capture."""

from bot.presenters.chemistry import collect, lookups
from bot.presenters.poster import Difficulty, Emblem, Poster

PRESENTER = collect.presenter(
    "compound_capture",
    lookups.IN_COMPOUNDS,
    Poster(
        emblem=Emblem("chemistry.compound", (0,)),
        minutes=10,
        difficulty=Difficulty.MEDIUM,
        options={"decks": "covalent", "rounds": 1},
    ),
    hand_height=740,
    motifs={
        "large": "ring",
        "pure": "gem",
        "five_in_a_round": "cards",
        "great_round": "star",
        "swift": "clock",
        "every_round": "crown",
    },
)
