"""The site: `python -m sphinx -n -W docs build/site`.

The pages are plain markdown that reads well where the code is hosted. So nothing of the site stands in them: the
navigation is made here, from the headings and links of README.md, and a page that README.md does not name stops the
build, as a dead link does.
"""

import re
import shutil
from pathlib import Path
from typing import Any

project = "hornbook"
author = "the hornbook authors"
project_copyright = ""
extensions = ["myst_parser"]
root_doc = "README"
PICTURES = "pictures"
source_suffix = {".md": "markdown"}
nitpicky = True
myst_heading_anchors = 4  # so that a link to a heading that is not there is an error
html_theme = "furo"
html_title = "hornbook"
html_favicon = "hornbook.svg"
html_use_index = False
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


def navigation(text: str) -> str:
    """A hidden table of contents for every section of the index: its heading, and the pages that it links to.

    >>> print(navigation("# All" + chr(10) + "## How-to" + chr(10) + "* [Forget](how-to/forget.md): how"))
    <BLANKLINE>
    ```{toctree}
    :hidden:
    :caption: How-to
    <BLANKLINE>
    Forget <how-to/forget.md>
    ```
    """
    told = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        pages = [f"{name} <{page}>" for name, page in re.findall(r"\[([^\]]+)\]\(([\w/-]+\.md)\)", body)]
        told.append("\n".join(["", "```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```"]))
    return "\n".join(told)


def _with_navigation(app: Any, page: str, source: list[str]) -> None:
    if page == root_doc:
        source[0] += "\n" + navigation(source[0])


def _finish(app: Any, error: Exception | None) -> None:
    """The first page under the name that web servers look for, and the pictures, which pages show by plain HTML."""
    if error is not None or not (made := Path(app.outdir, f"{root_doc}.html")).exists():
        return
    shutil.copyfile(made, made.with_name("index.html"))
    if (pictures := Path(app.srcdir, PICTURES)).is_dir():
        shutil.copytree(pictures, Path(app.outdir, PICTURES), dirs_exist_ok=True)


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", _with_navigation)
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
