"""/verify: what a record proves of its deal."""

from __future__ import annotations

import discord
from discord import app_commands

from bot import presenters
from bot.core.errors import Refused
from bot.features.verify.service import MOST_BYTES, Checked, checked
from bot.locales import words
from bot.presenters.voice import clipped
from bot.table.registry import Tables
from bot.table.thinking import call_by_name
from bot.ui.app import Connected, Interaction
from bot.ui.components import Message, page
from bot.ui.context import Answer
from bot.ui.names import shown

say = words("en")
CHECK = f"{checked.__module__}:{checked.__name__}"
MOST_ENTROPY = 12
"""So many of the numbers that joiners added are shown."""


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(verify)


@app_commands.command(name="verify", description=say("command.verify"))
@app_commands.describe(record=say("command.verify_record"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def verify(interaction: Interaction, record: discord.Attachment) -> None:
    """Check a record, and show the proof of its deal."""
    answer = Answer.to(interaction)
    if record.size > MOST_BYTES:
        raise Refused("verify_huge", most=MOST_BYTES // 2**20)
    await answer.defer(ephemeral=True, thinking=True)
    raw = await record.read()
    found = await answer.service(Tables).thinker.run(call_by_name, CHECK, raw, whose=answer.user_id)
    if not isinstance(found, Checked):
        raise TypeError(f"no proof but {type(found)}")
    await answer.private(proof_message(found, answer.locale))


def proof_message(found: Checked, locale: str) -> Message:
    """What a record proves, in words, or the one thing that is wrong with it; nothing of how the game ended.

    Raises:
        Refused: it is no record of a game that is played here.
    """
    told = words(locale)
    if found.wrong in ("broken", "foreign"):
        raise Refused(f"verify_{found.wrong}")
    title = presenters.get(found.game).title(locale)
    heading = told("verify.heading", game=title, names=told("table.comma").join(map(shown, found.names)))
    if found.wrong:
        wrong = told(f"verify.{found.wrong}", n=found.step, version=found.version)
        # rules of another day are no fault of whoever shows the record
        return page(
            heading, told("verify.unchecked" if found.wrong == "version" else "verify.fails", wrong=wrong)
        )
    steps = told("verify.steps", n=found.steps)
    if not found.commitment:
        return page(heading, "\n".join((told("verify.holds"), steps, told("verify.bare"))))
    numbers = ", ".join(found.entropy[:MOST_ENTROPY]) or told("verify.nobody")
    facts = {"commitment": found.commitment, "seed": found.seed, "nonce": found.nonce}
    proof = told("verify.deal", **facts, entropy=clipped(numbers, 300))
    return page(heading, told("verify.holds"), proof, steps, told("verify.compare"))
