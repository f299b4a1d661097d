"""Write the columns of all tables into PRIVACY.md, as their models declare them.

python tools/privacy_page.py
"""

from __future__ import annotations

from pathlib import Path

from bot.store.personal_data.privacy import page

FILE = Path(__file__).parents[1] / "PRIVACY.md"
BEGIN, END = "<!-- columns -->\n", "\n<!-- /columns -->"


def main() -> None:
    before, _, rest = FILE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    FILE.write_text("".join((before, BEGIN, "\n".join(page()), END, after)), "utf-8")


if __name__ == "__main__":
    main()
