"""A small real bot that uses everything the playground has to serve. Run alone or inside a test."""

from __future__ import annotations

import asyncio
import io
import os
import re
import struct
import zlib

import discord
import yarl
from discord import app_commands, ui


def picture(width: int = 320, height: int = 180, hue: int = 0) -> bytes:
    """A PNG with stripes, drawn by hand."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            card = 16 < y < height - 16 and (x // 52) % 2 == 0 and x % 52 > 6
            if card:
                rows += bytes((235 - y // 4, 240 - hue // 2, 245))
            else:
                rows += bytes((24 + y // 8, 44 + hue // 8, 40 + x // 16))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(rows), 6))
        + chunk(b"IEND", b"")
    )


def file(name: str = "table.png", alt: str = "A table with six cards", hue: int = 0) -> discord.File:
    return discord.File(io.BytesIO(picture(hue=hue)), name, description=alt)


class Press(ui.DynamicItem[ui.Button[ui.View]], template=r"t:(?P<verb>\w+):(?P<n>\d+)"):
    """Every button: verb and number are in the custom_id."""

    def __init__(
        self, verb: str, n: int, label: str = "?", style: discord.ButtonStyle = discord.ButtonStyle.secondary
    ):
        super().__init__(ui.Button(label=label, style=style, custom_id=f"t:{verb}:{n}"))
        self.verb, self.n = verb, n

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item, match: re.Match[str], /):
        return cls(match["verb"], int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await globals()[f"do_{self.verb}"](interaction, self.n)


def hand_view(n: int) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box = ui.Container(accent_colour=discord.Colour(0x3BA55D))
    box.add_item(ui.TextDisplay(f"### Your hand\nPress {n}"))
    gallery = ui.MediaGallery(
        discord.MediaGalleryItem("attachment://hand.png", description=f"Your hand, press {n}")
    )
    box.add_item(gallery)
    row = ui.ActionRow(Press("hand", n + 1, "Again", discord.ButtonStyle.primary), Press("fail", 0, "Slow"))
    box.add_item(row)
    view.add_item(box)
    view.stop()
    return view


async def do_hand(interaction: discord.Interaction, n: int) -> None:
    picture_file = file("hand.png", f"Your hand, press {n}", hue=n * 40 % 200)
    if n == 0:
        await interaction.response.send_message(view=hand_view(n), file=picture_file, ephemeral=True)
    else:
        await interaction.response.edit_message(view=hand_view(n), attachments=[picture_file])


async def do_fail(interaction: discord.Interaction, n: int) -> None:
    """Never answers."""


def count_view(n: int) -> ui.View:
    view = ui.View(timeout=None)
    view.add_item(Press("count", n + 1, f"Count {n + 1}", discord.ButtonStyle.primary))
    for verb in ("twice", "defer", "modal", "thread"):
        view.add_item(Press(verb, 0, verb))
    view.stop()
    return view


async def do_count(interaction: discord.Interaction, n: int) -> None:
    await interaction.response.edit_message(content=f"Counted to **{n}**", view=count_view(n))


async def do_twice(interaction: discord.Interaction, n: int) -> None:
    await interaction.response.send_message("one", ephemeral=True)
    await interaction.client.http.request(
        discord.http.Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            webhook_id=interaction.id,
            webhook_token=interaction.token,
        ),
        json={"type": 4, "data": {"content": "two"}},
    )


async def do_defer(interaction: discord.Interaction, n: int) -> None:
    await interaction.response.defer()
    await interaction.edit_original_response(content="edited after a deferral")


async def do_modal(interaction: discord.Interaction, n: int) -> None:
    await interaction.response.send_modal(Ask())


async def do_thread(interaction: discord.Interaction, n: int) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    thread = await interaction.channel.create_thread(name="A table", type=discord.ChannelType.public_thread)
    await thread.send(f"{interaction.user.mention} sits down")
    await interaction.followup.send(f"Started {thread.mention}")


class Ask(ui.Modal, title="A few questions"):
    words = ui.Label(
        text="Say something",
        description="At least three letters",
        component=ui.TextInput(min_length=3, max_length=40, custom_id="words"),
    )
    pick = ui.Label(
        text="Pick a game",
        component=ui.Select(
            custom_id="pick",
            options=[
                discord.SelectOption(label="Atom Duel", value="duel", emoji="⚛️"),
                discord.SelectOption(label="Canasta", value="canasta"),
            ],
        ),
    )
    level = ui.Label(
        text="Level",
        component=ui.RadioGroup(
            custom_id="level",
            options=[
                discord.RadioGroupOption(label="Easy", value="1", default=True),
                discord.RadioGroupOption(label="Hard", value="2"),
            ],
        ),
    )
    extras = ui.Label(
        text="Extras",
        component=ui.CheckboxGroup(
            custom_id="extras",
            required=False,
            options=[
                discord.CheckboxGroupOption(label="Clock", value="clock"),
                discord.CheckboxGroupOption(label="Log", value="log"),
            ],
        ),
    )
    agree = ui.Label(text="Agree", component=ui.Checkbox(custom_id="agree"))

    def __init__(self) -> None:
        super().__init__(custom_id="ask")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(
            f"You said {self.words.component.value}, picked {self.pick.component.values[0]}, "
            f"level {self.level.component.value}, extras {self.extras.component.values}, "
            f"{self.agree.component.value}",
            ephemeral=True,
        )


class Pick(ui.Select):
    def __init__(self) -> None:
        options = [
            discord.SelectOption(
                label=f"Card {i}",
                value=str(i),
                description=f"The card number {i}",
                emoji="♠️" if i % 2 else "♥️",
            )
            for i in range(1, 8)
        ]
        super().__init__(
            custom_id="pick-cards", placeholder="Pick up to three cards", max_values=3, options=options
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Picked {', '.join(self.values)}", ephemeral=True)


class Who(ui.UserSelect):
    def __init__(self) -> None:
        super().__init__(custom_id="who", placeholder="Invite somebody")

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Invited {self.values[0].mention}", ephemeral=True)


def table_view() -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("# Duel 52\n**Ann** against **Ben** · turn 3 · <t:1700000000:R>"))
    box = ui.Container(accent_colour=discord.Colour(0xF5A524))
    box.add_item(
        ui.Section(
            ui.TextDisplay("### The table\nIt is **Ann**'s turn.\n-# 45 s left"),
            accessory=ui.Thumbnail("attachment://thumb.png", description="A thumbnail"),
        )
    )
    box.add_item(
        ui.MediaGallery(
            discord.MediaGalleryItem(
                "attachment://table.png", description="A table with six cards in two rows; Ann is to move"
            )
        )
    )
    box.add_item(ui.Separator())
    box.add_item(
        ui.ActionRow(
            Press("hand", 0, "Hand", discord.ButtonStyle.primary),
            Press("count", 1, "Count", discord.ButtonStyle.secondary),
            Press("modal", 0, "Ask", discord.ButtonStyle.success),
            Press("fail", 0, "Slow", discord.ButtonStyle.danger),
            ui.Button(label="Rules", url="https://example.org/rules"),
        )
    )
    view.add_item(box)
    view.add_item(ui.ActionRow(Pick()))
    view.add_item(ui.ActionRow(Who()))
    view.add_item(
        ui.ActionRow(
            ui.Button(label="Closed", custom_id="closed", disabled=True, emoji="🃏"),
            Press("thread", 0, "Thread"),
        )
    )
    return view


def make_client(intents: discord.Intents | None = None) -> discord.Client:
    client = discord.Client(intents=intents or discord.Intents(guilds=True))
    tree = app_commands.CommandTree(client)
    client.tree = tree

    @tree.command(description="Show a table")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        game="Which game",
        seats="How many seats",
        rated="Count it",
        partner="With whom",
        where="In which channel",
    )
    async def play(  # noqa: PLR0917 - the options of a command
        interaction: discord.Interaction,
        game: str,
        seats: app_commands.Range[int, 2, 6] = 2,
        rated: bool = False,
        partner: discord.User | None = None,
        where: discord.TextChannel | None = None,
    ) -> None:
        await interaction.response.send_message(
            view=table_view(),
            files=[
                file("table.png", "A table with six cards in two rows; Ann is to move"),
                file("thumb.png", "A thumbnail"),
            ],
        )

    @play.autocomplete("game")
    async def games(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        names = [
            "Atom Duel",
            "Atom",
            "Chemistry Battle",
            "Compound Capture",
            "Canasta",
            "Duel 52",
            "Molecular",
        ]
        return [
            app_commands.Choice(name=n, value=n.lower().replace(" ", "_"))
            for n in names
            if current.lower() in n.lower()
        ]

    @tree.command(description="Count up by pressing")
    async def count(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Counted to **0**", view=count_view(0))

    @tree.command(description="Say it only to me")
    @app_commands.choices(
        tone=[app_commands.Choice(name="Loud", value=2), app_commands.Choice(name="Soft", value=1)]
    )
    async def whisper(interaction: discord.Interaction, text: str, tone: int = 1) -> None:
        await interaction.response.send_message(text.upper() if tone == 2 else text, ephemeral=True)

    @tree.command(description="Think first")
    async def think(interaction: discord.Interaction, secret: bool = False, seconds: float = 0.05) -> None:
        await interaction.response.defer(thinking=True, ephemeral=secret)
        await asyncio.sleep(seconds)
        await interaction.followup.send("Thought about it", ephemeral=True)

    @tree.command(description="Do nothing at all")
    async def silent(interaction: discord.Interaction) -> None:
        pass

    @tree.command(description="Send something that Discord refuses")
    async def wrong(interaction: discord.Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(ui.Button(label="x" * 81, custom_id="a"))
        view.add_item(ui.Button(label="y", emoji="\U0001f0a1", custom_id="a"))
        view.stop()
        try:
            await interaction.response.send_message("no", view=view)
        except discord.HTTPException as error:
            await interaction.response.send_message(f"refused: {error.code}", ephemeral=True)

    @tree.command(description="Send to the channel with the bot token")
    async def post(interaction: discord.Interaction, times: int = 1) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            for i in range(times):
                await interaction.channel.send(f"posted {i}", file=file())
            await interaction.followup.send("done")
        except discord.HTTPException as error:
            await interaction.followup.send(f"refused: {error.code}")

    @tree.command(description="Show an embed")
    async def card(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title="Carbon", description="Six protons. **Bonds** with `4`.", colour=0x5865F2)
        embed.add_field(name="Power", value="7").add_field(name="Group", value="14")
        embed.set_footer(text="Card 6 of 118").set_image(url="attachment://table.png")
        await interaction.response.send_message(embed=embed, file=file())

    group = app_commands.Group(name="tournament", description="Tournaments")

    @group.command(name="create", description="Create a tournament")
    async def create(interaction: discord.Interaction, title: str) -> None:
        await interaction.response.send_message(f"Tournament {title}")

    tree.add_command(group)

    @tree.context_menu(name="Challenge")
    async def challenge(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"{interaction.user.mention} challenges {member.mention}")

    @tree.context_menu(name="Explain")
    async def explain(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"That says {message.content!r}", ephemeral=True)

    async def setup() -> None:
        client.add_dynamic_items(Press)
        table = ui.View(timeout=None)
        table.add_item(Pick())
        table.add_item(Who())
        client.add_view(table)
        await tree.sync()

    async def on_interaction(interaction: discord.Interaction) -> None:
        client.seen.append(interaction)

    client.seen = []
    client.setup_hook = setup
    client.on_interaction = on_interaction
    return client


def point_at(base: str) -> None:
    """What the real bot does by one setting."""
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(base.replace("http", "ws") + "/")
    discord.asset.Asset.BASE = f"{base}/cdn"


def main() -> None:
    point_at(os.environ["VALENCE_DISCORD_BASE"])
    make_client().run(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    main()
