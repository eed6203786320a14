"""A picture as a value: SVG text that stands alone, with its own style for light and dark."""

from dataclasses import dataclass
from pathlib import Path

from hornbook.display.markup import Markup, tag

COLOURS = 8  # of values; the ninth has the colour of the first again
MOST_LETTERS = 34  # of a text in a picture; a longer one is cut
LIGHT = {
    "ink": "#1f2328", "soft": "#6b7280", "line": "#d0d7de", "ground": "#ffffff", "bad": "#b42318",
    "c0": "#7cb5ec", "c1": "#f7b267", "c2": "#90d6a3", "c3": "#c8a2e8", "c4": "#f2a2b5", "c5": "#8fd3d6",
    "c6": "#d6c67e", "c7": "#b5bfcc",
}  # fmt: skip
DARK = {
    "ink": "#e6edf3", "soft": "#9aa4b2", "line": "#3d444d", "ground": "#0d1117", "bad": "#ff8a80",
    "c0": "#2f6da3", "c1": "#9a6222", "c2": "#34784a", "c3": "#71498f", "c4": "#95475a", "c5": "#2f777a",
    "c6": "#786a23", "c7": "#56606d",
}  # fmt: skip
RULES = (
    "text{font:12px system-ui,sans-serif;fill:var(--ink)}.soft{fill:var(--soft);font-size:11px}"
    ".bad{fill:var(--bad)}.line{stroke:var(--line);fill:none}.ground{fill:var(--ground)}"
    ".over{paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}"
    ".edge{stroke:var(--soft);fill:none}.clash{stroke:var(--bad);fill:none;stroke-width:2;stroke-dasharray:9 3 2 3}"
    ".tip{fill:var(--soft)}.clash-tip{fill:var(--bad)}"
    ".derived{stroke:var(--soft);fill:none;stroke-dasharray:5 4}"
    ".beside{stroke:var(--soft);fill:none;stroke-dasharray:1.5 3.5}"
    + "".join(f".c{at}{{fill:var(--c{at})}}" for at in range(COLOURS))
)


def _named(colours: dict[str, str]) -> str:
    return f"svg{{{';'.join(f'--{name}:{colour}' for name, colour in colours.items())}}}"


STYLE = Markup(f"{_named(LIGHT)}@media (prefers-color-scheme:dark){{{_named(DARK)}}}{RULES}")


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG: notebooks show it, `save` writes it to a file, `str` is its text. It fetches nothing."""

    svg: str
    title: str
    width: int
    height: int

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Picture({self.title!r}, {self.width} x {self.height})"

    def _repr_svg_(self) -> str:
        return self.svg

    def png(self, *, dark: bool = False, scale: float = 2.0) -> bytes:
        """It as a PNG, `scale` (0.1 to 10) times as large as its size in the SVG."""
        from hornbook.display.raster import rastered

        return rastered(self.svg, DARK if dark else LIGHT, scale)

    def save(self, path: str | Path, *, dark: bool = False, scale: float = 2.0) -> None:
        """Write it to a file, as a PNG where its name ends so, else as SVG; what is there is replaced.

        An SVG is light or dark as its reader's system is; of a PNG `dark` and `scale` are chosen.
        """
        if Path(path).suffix.lower() == ".png":
            Path(path).write_bytes(self.png(dark=dark, scale=scale))
        else:
            Path(path).write_text(self.svg, encoding="utf-8")


def picture(title: str, width: int, height: int, *parts: Markup) -> Picture:
    """The parts on a ground of their own."""
    ground = tag("rect", width=width, height=height, class_="ground")
    root = tag(
        "svg",
        tag("title", title),
        tag("style", STYLE),
        ground,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )
    return Picture(root, title, width, height)


def words(
    x: float,
    y: float,
    said: str,
    class_: str | None = None,
    anchor: str | None = None,
    most: int = MOST_LETTERS,
    whole: str = "",
) -> Markup:
    """A text; a long one is cut, and whole in its title."""
    title = tag("title", whole or said) if whole or len(said) > most else Markup()
    cut = said if len(said) <= most else said[: most - 1] + "…"
    return tag("text", cut, title, x=near(x), y=near(y), class_=class_, text_anchor=anchor)


def near(at: float) -> str:
    """A coordinate as it is written: a tenth is more than anybody sees, and the same on every machine.

    >>> near(1.26), near(-0.01), near(3)
    ('1.3', '0', '3')
    """
    return f"{round(at, 1) + 0.0:.1f}".removesuffix(".0")
