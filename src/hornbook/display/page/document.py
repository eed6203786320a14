"""The picture as a page: one HTML file that stands alone, shown in a notebook, saved, or opened in a browser."""

import tempfile
import webbrowser
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from hornbook.display.markup import short, text
from hornbook.display.page.assets import embedded, read, script, style

HEIGHT = 620  # pixels in a notebook


@dataclass(frozen=True, slots=True)
class Page:
    """A picture to move about in: a notebook shows it, `save` writes it to a file, `open` shows it in a browser.

    `data` is what it draws (see `hornbook.display.page.data`); `html` is the page, which fetches nothing and runs
    nothing but the scripts in it, whatever was said in the memory.
    """

    title: str
    data: dict[str, Any] = field(repr=False)

    @property
    def html(self) -> str:
        """The page as text."""
        styles = f"{read('page.css')}{style()}"
        start = read("page.js")
        policy = (
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            f"script-src {_digest(script())} {_digest(start)}; style-src {_digest(styles)}"
        )
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{text(short(self.title, 120))}</title>\n<style>{styles}</style></head>\n"
            f'<body><div id="hb-picture"></div>\n'
            f'<script type="application/json" id="hb-data">{embedded(self.data)}</script>\n'
            f"<script>{script()}</script>\n<script>{start}</script></body></html>\n"
        )

    def __str__(self) -> str:
        return self.html

    def _repr_html_(self) -> str:
        """A frame of its own, in which scripts run and can reach neither the notebook nor anything else."""
        title = escape(short(self.title, 120), quote=True)
        shown = escape(self.html, quote=True)
        style_ = f"width:100%;height:{HEIGHT}px;border:1px solid rgba(128,128,128,.35);border-radius:8px"
        return f'<iframe title="{title}" sandbox="allow-scripts" style="{style_}" srcdoc="{shown}"></iframe>'

    def save(self, path: str | Path) -> None:
        """Write it to a file; what is there is replaced."""
        Path(path).write_text(self.html, encoding="utf-8")

    def open(self) -> Path:
        """Show it in the browser of this machine; the file, which stays where temporary files are."""
        with tempfile.NamedTemporaryFile(
            "w", suffix=".html", prefix="hornbook-", encoding="utf-8", delete=False
        ) as file:
            file.write(self.html)
        path = Path(file.name)
        webbrowser.open(path.as_uri())
        return path


def _digest(inside: str) -> str:
    """The name by which a policy allows what stands in an element."""
    return f"'sha256-{b64encode(sha256(inside.encode('utf-8')).digest()).decode('ascii')}'"
