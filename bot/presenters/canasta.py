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
)
