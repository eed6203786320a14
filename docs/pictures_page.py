"""Take the pictures of the graph that the guide on notebooks shows: `python docs/pictures_page.py`, Chromium on PATH.

They show the conversation that ships with the package, with the rules of `docs/pictures.py`.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from pictures import LARGEST, PICTURES, told
from playwright.sync_api import Browser, sync_playwright

from hornbook.display.page.document import Page

WIDE, NARROW = {"width": 1100, "height": 720}, {"width": 400, "height": 720}
PICK = """(name) => {
  const data = JSON.parse(document.getElementById("hb-data").textContent);
  const names = data.nodes.map((node) => node.name);
  hornbookPicture.pick({arrow: data.arrows.findIndex((one) => one.label === "lives_in" && names[one.to] === name)});
  hornbookPicture.fit();
}"""


def main() -> None:
    """The page, wide with evidence open and narrow, and the plot; each light and dark."""
    PICTURES.mkdir(exist_ok=True)
    with told() as memory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page, plot = memory.show("Ana", depth=2), memory.plot("Nora", depth=2)
        for scheme in ("light", "dark"):
            taken(browser, page, scheme, WIDE, "page", "Oslo")
            taken(browser, page, scheme, NARROW, "page-narrow", None)
            plot.save(PICTURES / f"plot-{scheme}.png", dark=scheme == "dark", scale=1)
        browser.close()
    for file in sorted(PICTURES.glob("p*.png")):
        print(f"{file.name}: {file.stat().st_size // 1_000} kB")
        assert file.stat().st_size < LARGEST, f"{file.name} is too large"


def taken(browser: Browser, page: Page, scheme: Any, size: Any, name: str, opened: str | None) -> None:
    """One picture of the page, with what is said of a place open where it is named."""
    tab = browser.new_context(color_scheme=scheme, viewport=size, reduced_motion="reduce").new_page()
    with tempfile.TemporaryDirectory() as folder:
        page.save(Path(folder) / "page.html")
        tab.goto((Path(folder) / "page.html").as_uri())
        tab.wait_for_function("performance.getEntriesByName('hb-drawn').length > 0")
        if opened:
            tab.evaluate(PICK, opened)
        tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tab.screenshot(path=PICTURES / f"{name}-{scheme}.png")
    tab.context.close()


if __name__ == "__main__":
    main()
