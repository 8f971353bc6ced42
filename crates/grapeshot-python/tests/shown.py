"""Runs what is shown: the code cells of notebooks, and what is python in guides, each file in its folder.

    python crates/grapeshot-python/tests/shown.py examples/notebook.ipynb docs/python.md
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys


def pieces(path: pathlib.Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def run(piece: str, place: str, names: dict) -> None:
    tree = ast.parse(piece, place)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    if last is not None:
        # What a notebook shows of it.
        shown = eval(compile(ast.Expression(last.value), place, "eval"), names)
        assert shown is None or getattr(shown, "_repr_html_", shown.__repr__)(), place


for path in [pathlib.Path(name).resolve() for name in sys.argv[1:]]:
    found, names = pieces(path), {}
    os.chdir(path.parent)
    assert found, f"{path} shows nothing"
    for number, piece in enumerate(found, 1):
        with contextlib.redirect_stdout(io.StringIO()):
            run(piece, f"{path.name}, piece {number}", names)
    print(f"{path.name}: {len(found)} pieces run")
