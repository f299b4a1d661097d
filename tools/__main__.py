"""`python -m tools NAME …`: run one of the tools; without a name, list them."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent


def purposes() -> dict[str, str]:
    """Return the first line of each tool's docstring by its name."""
    files = {path.stem: path for path in HERE.glob("[!_]*.py")}
    files |= {path.parent.name: path for path in HERE.glob("*/__main__.py")}
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in sorted(files.items())}
    return {name: (ast.get_docstring(tree) or "").partition("\n")[0] for name, tree in trees.items()}


def main() -> None:
    """Run the tool that the first word names, with the words that follow."""
    known = purposes()
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in known:
        for each, purpose in known.items():
            print(f"{each:15} {purpose}")
        raise SystemExit(0 if name in ("", "-h", "--help") else f"There is no tool called {name}.")
    del sys.argv[1]
    runpy.run_module(f"tools.{name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
