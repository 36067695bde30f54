"""matplotlib in a container: no screen, its own fonts, and `show` keeps the figure as a file."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from typing import Any


def load() -> None:
    """Import it once, in the zygote, with the fonts that it brings itself: a container has no others."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(MPLCONFIGDIR=folder, MPLBACKEND="agg")
        try:
            import matplotlib.font_manager as fonts
            from matplotlib import pyplot
        except ImportError:
            return
        brought = os.path.dirname(fonts.__file__)
        for known in (fonts.fontManager.ttflist, fonts.fontManager.afmlist):
            known[:] = [font for font in known if font.fname.startswith(brought)]
        figure, axes = pyplot.subplots()
        axes.plot([1, 2])
        figure.savefig(os.devnull, format="png")  # imports what drawing puts off
        pyplot.close(figure)


def install(folder: str) -> None:
    """Settle it in a container; `folder` is where it may keep things of its own."""
    library, pyplot = sys.modules.get("matplotlib"), sys.modules.get("matplotlib.pyplot")
    if library is None or pyplot is None:
        return
    for getter in ("get_configdir", "get_cachedir"):
        setattr(library, getter, lambda: folder)
    numbers = itertools.count(1)

    def keep(figure: Any, *_: Any, **__: Any) -> None:
        name = next(
            name for name in (f"figure_{n}.png" for n in numbers) if not os.path.exists(name)
        )
        figure.savefig(name, bbox_inches="tight")
        print(f"The figure was kept as {name}.")

    def show(*_: Any, **__: Any) -> None:
        for number in pyplot.get_fignums():
            keep(pyplot.figure(number))
        pyplot.close("all")

    pyplot.show = show  # type: ignore[attr-defined]
    library.figure.Figure.show = keep
