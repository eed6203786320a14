"""What the page of a large memory costs: made in Python, and looked at in Chromium.

    python benchmarks/page.py [--nodes 3000] [--arrows 8000] [--frames 60] [--json FILE] [--keep FILE]

Entities in circles of some forty, most claims within a circle, a twentieth of the arrows contested; nine in ten claims
begin somewhere in twenty years. Made: CPU seconds of `Memory.show(most=10_000)`, and of the HTML. Looked at:
milliseconds from the start of navigation until something is painted, and until the picture is; then a frame while it
is dragged, while it is zoomed, and while the clock of valid time is slid, p50 / p95. Chromium paints by CPU.
"""

import argparse
import random
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import Spent, publish, reader, shown
from playwright.sync_api import Page, sync_playwright

from hornbook.graph.clock import ticking
from hornbook.memory import Memory

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
PREDICATES = ("knows", "works_with", "likes", "visited", "mentored", "lives_near")
SEED = 5
FRAMES = """async ([many, kind]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const clock = document.querySelector("input[type=range]");
  const acts = {
    drag: (at) => hornbookPicture.panBy(5, 2),
    zoom: (at) => hornbookPicture.zoomBy(at % 40 < 20 ? 1.08 : 1 / 1.08),
    slide: (at) => { clock.value = Number(clock.max) - at; clock.dispatchEvent(new Event("input", {bubbles: true})); },
  };
  await frame(); await frame();
  const took = [];
  let last = performance.now();
  for (let at = 0; at < many; at += 1) {
    acts[kind](at);
    await frame();
    const now = performance.now();
    took.push(now - last);
    last = now;
  }
  return took;
}"""


def filled(memory: Memory, nodes: int, arrows: int) -> None:
    """Entities in circles, and what is said of them."""
    chance = random.Random(SEED)
    circles = max(nodes // 40, 1)
    for predicate in PREDICATES:
        memory.declare({"predicate": predicate, "cardinality": "SetValued"})
    for number in range(arrows):
        subject = number if number < nodes else chance.randrange(nodes)
        near = (subject % circles) + circles * chance.randrange(max(nodes // circles, 1))
        other = near if chance.random() < 0.95 else chance.randrange(nodes)
        predicate = PREDICATES[number % len(PREDICATES)]
        since = f"{2000 + chance.randrange(20)}-{chance.randrange(1, 13):02}" if chance.random() < 0.9 else None
        told: dict[str, Any] = {
            "valid_from": since,
            "speaker": f"Person {number % 7}",
            "evidence": f"Said in {number}.",
        }
        memory.claim(f"Person {subject}", predicate, f"Person {other % nodes}", **told)
        if number % 20 == 0:
            memory.claim(f"Person {subject}", predicate, f"Person {other % nodes}", polarity="not", **told)


def looked_at(tab: Page, path: Path, frames: int) -> dict[str, Any]:
    """What it takes to look at a page."""
    tab.goto(path.as_uri())
    tab.wait_for_function("performance.getEntriesByName('hb-drawn').length > 0")
    painted, drawn = tab.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime,"
        " performance.getEntriesByName('hb-drawn')[0].startTime]"
    )
    found: dict[str, Any] = {"first paint ms": round(painted), "picture drawn ms": round(drawn)}
    for kind in ("drag", "zoom", "slide"):
        took = tab.evaluate(FRAMES, [frames, kind])
        found[f"frame of a {kind} ms, p50 / p95"] = shown(took)
    return found


def main() -> None:
    """Measure one page."""
    options = reader(__doc__)
    options.add_argument("--nodes", type=int, default=3_000)
    options.add_argument("--arrows", type=int, default=8_000)
    options.add_argument("--frames", type=int, default=60)
    options.add_argument("--keep", type=Path, help="keep the page in this file")
    asked = options.parse_args()
    publish(measured(asked), asked.json)


def measured(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """A row of figures."""
    made, written = Spent(), Spent()
    with Memory.open(":memory:", user="ana", clock=ticking(step=1_000)) as memory:
        began = time.process_time()
        filled(memory, asked.nodes, asked.arrows)
        print(f"filled in {time.process_time() - began:.0f} s of CPU")
        page = made.of(lambda: memory.show(most=10_000))
        html = written.of(lambda: page.html)
    row: dict[str, Any] = {"nodes": len(page.data["nodes"]), "arrows": len(page.data["arrows"])}
    row |= {"show, CPU s": round(made.cpu[0] / 1_000, 1), "html, CPU s": round(written.cpu[0] / 1_000, 2)}
    row["html MB"] = round(len(html.encode()) / 1e6, 1)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = asked.keep or Path(folder) / "page.html"
        path.write_text(html, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        tab = browser.new_page(viewport={"width": 1200, "height": 800})
        row |= looked_at(tab, path, asked.frames)
        browser.close()
    return [{"what": name, "figure": figure} for name, figure in row.items()]


if __name__ == "__main__":
    main()
