"""Reading a page as its readers do."""

from html.parser import HTMLParser


class Read(HTMLParser):
    """The elements of a page and its text, without its style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""
        self.feed(page)
        self.close()
        assert [] == self.open, "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words += data
