"""The page on what goes wrong quotes messages that the code has."""

import re

from tests.docs.pages import DOCS, ROOT

PAGE = (DOCS / "how-to" / "when-something-is-wrong.md").read_text(encoding="utf-8")
FOLDERS = ("graph", "extraction", "reasoning", "mcp_tools", "src/hornbook")


def test_every_message_of_the_page_is_one() -> None:
    told = re.findall(r"^\| `([^`]+)`", PAGE.partition("## A message")[2].partition("## A server")[0], re.MULTILINE)
    code = " ".join(file.read_text("utf-8") for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))

    assert 8 <= len(told)
    assert ["hornbook-mcp: command not found"] == [message for message in told if message not in code]
