"""Fetch the fonts of the pictures from the package registry and cut them down to what we draw.

    pip install brotli        # once: fontTools needs it to open woff2; nothing else of the project does
    python scripts/fonts.py   # writes assets/fonts/*.ttf and the licence texts beside them

Needs `npm` (for `npm pack`) and about 120 MB of temporary space. The result is committed, so nobody
who plays or tests has to run this; it is here so that everyone can see where each glyph comes from
and can widen a subset.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "assets" / "fonts"
CHINESE = ROOT / "bot" / "locales" / "zh-CN"

INTER = "inter-ui@4.1.1"
NOTO = "@expo-google-fonts/noto-sans-sc@0.4.3"
DEJAVU = "dejavu-fonts-ttf@2.37.3"

# The 118 element names in simplified Chinese; those from 104 on lie outside every list of common characters.
ELEMENTS = (
    "氢氦锂铍硼碳氮氧氟氖钠镁铝硅磷硫氯氩钾钙钪钛钒铬锰铁钴镍铜锌镓锗砷硒溴氪铷锶钇锆铌钼锝钌铑钯银镉铟锡锑碲碘氙"
    "铯钡镧铈镨钕钷钐铕钆铽镝钬铒铥镱镥铪钽钨铼锇铱铂金汞铊铅铋钋砹氡钫镭锕钍镤铀镎钚镅锔锫锎锿镄钔锘铹"
    "𬬻𬭊𬭳𬭛𬭶鿏𫟼𬬭鿔鿭𫓧镆𫟷鿬鿫"
)
# Noto has no simplified glyph for livermorium; the traditional form is what readers know besides it.
BORROWED = {0x2B7F7: 0x925D}


def _ranges(*pairs: tuple[int, int]) -> set[int]:
    return {code for first, last in pairs for code in range(first, last + 1)}


def _common_han() -> set[int]:
    """The 3,755 characters of the first level of GB 2312, which is ordered by use."""
    rows = (bytes([high, low]) for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF))
    text = b"".join(pair for pair in rows if pair < b"\xd7\xfa").decode("gb2312")
    return {ord(char) for char in text}


def _spoken_han() -> set[int]:
    """The characters of our own Chinese texts: names of substances lie outside the common ones."""
    texts = (path.read_text("utf-8") for path in sorted(CHINESE.glob("*.toml")))
    return {ord(char) for text in texts for char in text if "\u3400" <= char <= "\u9fff"}


LATIN = _ranges(
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x18F, 0x192),
    (0x1A0, 0x1B0),
    (0x1CD, 0x1DC),
    (0x1F8, 0x21B),
    (0x259, 0x259),
    (0x2BB, 0x2DD),
    (0x300, 0x328),
    (0x384, 0x3CE),
    (0x400, 0x45F),
    (0x490, 0x4F9),
    (0x1E80, 0x1E85),
    (0x1EA0, 0x1EF9),
    (0x2010, 0x2027),
    (0x2030, 0x203A),
    (0x2070, 0x209C),
    (0x20A0, 0x20BF),
    (0x2116, 0x2122),
    (0x2150, 0x215E),
    (0x2190, 0x2199),
    (0x2212, 0x2212),
    (0x2248, 0x2265),
)
# What Inter has not: suits, cards, arrows, marks, and the odd scientific sign.
SYMBOLS = _ranges(
    (0x2070, 0x209C),
    (0x2100, 0x214F),
    (0x2190, 0x21FF),
    (0x2200, 0x22FF),
    (0x2300, 0x2335),
    (0x2460, 0x24FF),
    (0x2500, 0x25FF),
    (0x2600, 0x26FF),
    (0x2701, 0x27BE),
    (0x27F0, 0x27FF),
    (0x2B00, 0x2B1A),
    (0xFFFD, 0xFFFD),
)
HAN = (
    _common_han()
    | _spoken_han()
    | {ord(char) for char in ELEMENTS}
    | _ranges((0x3000, 0x3011), (0x3041, 0x30FF), (0xFF01, 0xFF5E))
)


@dataclass(frozen=True, slots=True)
class Cut:
    """One file of ours: where it comes from and which characters it keeps."""

    out: str
    package: str
    member: str
    keep: frozenset[int]


CUTS = (
    Cut("Inter-Medium.ttf", INTER, "package/web/Inter-Medium.woff2", frozenset(LATIN)),
    Cut("Inter-Bold.ttf", INTER, "package/web/Inter-Bold.woff2", frozenset(LATIN)),
    Cut("Inter-Display.ttf", INTER, "package/display/InterDisplay-ExtraBold.woff2", frozenset(LATIN)),
    Cut("NotoSansSC-Medium.ttf", NOTO, "package/500Medium/NotoSansSC_500Medium.ttf", frozenset(HAN)),
    Cut("DejaVuSans.ttf", DEJAVU, "package/ttf/DejaVuSans.ttf", frozenset(SYMBOLS)),
    Cut("DejaVuSans-Bold.ttf", DEJAVU, "package/ttf/DejaVuSans-Bold.ttf", frozenset(SYMBOLS)),
)
LICENCES = (
    ("Inter-OFL.txt", INTER, "package/LICENSE.txt"),
    ("NotoSansSC-OFL.txt", NOTO, "package/LICENSE_FONT"),
    ("DejaVu-LICENSE.txt", DEJAVU, "package/LICENSE"),
)


def _fetch(package: str, folder: Path) -> tarfile.TarFile:
    done = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
    )
    return tarfile.open(folder / done.stdout.split()[-1])


def _extract(archive: tarfile.TarFile, member: str, target: Path) -> Path:
    source = archive.extractfile(member)
    if source is None:
        raise FileNotFoundError(member)
    target.write_bytes(source.read())
    return target


def _cut(source: Path, cut: Cut) -> str:
    """Write one subset; returns the characters it holds. Hinting and layout tables go: nothing uses them."""
    options = subset.Options()
    options.hinting = False
    options.desubroutinize = True
    options.layout_features = []
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += [
        "FFTM",
        "GPOS",
        "GSUB",
        "GDEF",
        "vhea",
        "vmtx",
        "VORG",
        "BASE",
        "STAT",
        "meta",
        "DSIG",
    ]
    font = TTFont(source)
    cmap = font.getBestCmap()
    for table in font["cmap"].tables:
        for code, stand_in in BORROWED.items():
            if (
                table.isUnicode()
                and table.format == 12
                and code in cut.keep
                and code not in cmap
                and stand_in in cmap
            ):
                table.cmap[code] = cmap[stand_in]
    work = subset.Subsetter(options)
    work.populate(unicodes=cut.keep)
    work.subset(font)
    font.flavor = None
    target = OUT / cut.out
    font.save(target)
    kept = font.getBestCmap()
    print(f"{cut.out:24} {target.stat().st_size / 1024:7.1f} KiB  {len(kept):5} characters")
    missing = [chr(code) for code in cut.keep if code > 0x3400 and code not in kept]
    if missing:
        print("  without a glyph:", "".join(sorted(missing)))
    return _ranges_text(kept)


def _ranges_text(codes: Iterable[int]) -> str:
    """`20-7e,a0-17f`: the form in which the bot reads what a font can draw, without opening the font."""
    spans: list[list[int]] = []
    for code in sorted(codes):
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return ",".join(f"{first:x}-{last:x}" for first, last in spans)


def main() -> None:
    """Fetch, subset, write, and say how much it is."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archives = {package: _fetch(package, folder) for package in (INTER, NOTO, DEJAVU)}
        coverage = {}
        for cut in CUTS:
            source = _extract(archives[cut.package], cut.member, folder / Path(cut.member).name)
            coverage[Path(cut.out).stem] = _cut(source, cut)
        for out, package, member in LICENCES:
            _extract(archives[package], member, OUT / out)
    (OUT / "coverage.json").write_text(json.dumps(coverage, indent=1) + "\n", encoding="utf-8")
    print(f"total {sum(file.stat().st_size for file in OUT.iterdir()) / 1024 / 1024:.2f} MiB")


if __name__ == "__main__":
    main()
