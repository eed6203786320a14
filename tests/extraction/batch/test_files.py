"""Files and exports as texts: cut where they may be, placed where they stand, and every fault named."""

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.extraction.batch import elements as streaming
from hornbook.extraction.batch.elements import CutOff, elements
from hornbook.extraction.batch.files import files_in, read_files
from hornbook.extraction.batch.piece import Piece, Read, Unread
from hornbook.extraction.batch.text import PIECE


def read(tmp_path: Path, name: str, content: str | bytes, format: Any = None) -> list[Read]:
    """The texts of a file with this content."""
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_files([(path, name)], format))


def said(found: list[Read]) -> list[Any]:
    """The words of each text, and of what is none the reason."""
    return [one.fields["content"] if isinstance(one, Piece) else one.why for one in found]


# -- text and Markdown ----------------------------------------------------------------------------------------------


def test_a_text_is_one_piece_and_a_long_one_is_cut_between_sentences(tmp_path: Path) -> None:
    sentence = "Ana lives in Oslo. "
    found = read(tmp_path, "a.txt", sentence * 12_000)

    assert ["one\n\ntwo"] == said(read(tmp_path, "b.txt", "one\n\ntwo"))
    assert sentence * 12_000 == "".join(said(found))
    assert len(found) > 3
    assert all(len(text) <= PIECE and text.endswith("Oslo. ") for text in said(found))
    assert len(found) == len({one.position for one in found})


def test_markdown_is_cut_at_headings_and_not_inside_code(tmp_path: Path) -> None:
    text = "intro\n# First\none\n```\n# no heading\n```\n## Second\ntwo\n#### small\nthree\n"

    assert ["intro\n", "# First\none\n```\n# no heading\n```\n", "## Second\ntwo\n#### small\nthree\n"] == said(
        read(tmp_path, "a.md", text)
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"  \n\n ", "there is no text in it"),
        (b"\x89PNG\r\n\0\0\0", "it is binary, not text"),
        ("Gr\u00fc\u00dfe".encode("latin-1"), "it is not UTF-8 text"),
        (b"fine\n" * 100 + b"\xff\xfe\xff", "it is not UTF-8 text"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_what_is_no_text_is_named(content: bytes, why: str, name: str, tmp_path: Path) -> None:
    (found,) = read(tmp_path, name, content)

    assert (name, why) == (found.source, found.why if isinstance(found, Unread) else "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_mark_of_an_encoding_is_understood(encoding: str, tmp_path: Path) -> None:
    assert ["Gr\u00fc\u00dfe \U0001f600"] == said(
        read(tmp_path, "a.txt", "Gr\u00fc\u00dfe \U0001f600".encode(encoding))
    )


def test_a_missing_file_and_a_folder_in_its_place_are_named(tmp_path: Path) -> None:
    found = list(read_files([(tmp_path / "gone.txt", "gone.txt"), (tmp_path, "folder")]))

    assert ["gone.txt", "folder"] == [one.source for one in found]
    assert all(isinstance(one, Unread) and "cannot be read" in one.why for one in found)


def test_a_folder_is_read_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.md", ".git/x.txt", "a/.hidden"):
        (tmp_path / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes" / name).write_text("hello")

    assert ["notes/a/z.md", "notes/b.txt"] == [name for _, name in files_in([tmp_path / "notes"])]


# -- JSON lines -----------------------------------------------------------------------------------------------------


def test_every_line_is_a_text_and_a_bad_one_is_named_by_its_number(tmp_path: Path) -> None:
    lines = [
        b'{"text": "one", "session_id": "s", "speaker": "Ana", "timestamp": 1700000000}',
        b"{not json",
        b"",
        b'{"content": "tw\xff"}',
        b'{"nothing": 1}',
        b"[1, 2]",
        b'{"content": "three \\ud83d"}',
        b'{"content": "cut',
    ]
    found = read(tmp_path, "a.jsonl", b"\n".join(lines))

    assert [
        "one",
        "it is not JSON",
        "it is not UTF-8 text",
        "it has no content",
        "it is not an object",
        "three \ufffd",
        "it is not JSON; the file seems to be cut off",
    ] == said(found)
    assert ["line 1", "line 2", "line 4", "line 5", "line 6", "line 7", "line 8"] == [one.position for one in found]
    first = found[0].fields if isinstance(found[0], Piece) else {}
    assert {"session": "s", "speaker": "Ana", "occurred_at": "2023-11-14T22:13:20Z"}.items() <= first.items()


def test_a_line_that_is_too_long_is_passed_over_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "LONGEST", 1_000)
    long = json.dumps({"text": "x" * 5_000})
    found = read(tmp_path, "a.jsonl", f'{long}\n{{"text": "next"}}\n{long}')

    assert ["it is too long to be read", "next", "it is too long to be read"] == said(found)


# -- conversations --------------------------------------------------------------------------------------------------

MESSAGES = [
    {"role": "developer", "content": "Be kind."},
    {"role": "user", "name": "Ana", "content": [{"type": "text", "text": "Hi"}, {"type": "image_url"}]},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
    {"role": "tool", "content": "42"},
    {"role": "user", "content": ""},
]


@pytest.mark.parametrize("shape", ["list", "object", "line"])
def test_openai_messages_are_read_in_every_shape(shape: str, tmp_path: Path) -> None:
    whole = {"list": MESSAGES, "object": {"id": "c1", "messages": MESSAGES}, "line": {"messages": MESSAGES}}[shape]
    found = read(tmp_path, "a.jsonl" if shape == "line" else "a.json", json.dumps(whole))

    assert ["Be kind.", "Hi", "42"] == said(found)
    assert ["system", "user", "tool"] == [one.fields["role"] for one in found if isinstance(one, Piece)]
    assert ["Ana"] == [one.fields["speaker"] for one in found if isinstance(one, Piece) and "speaker" in one.fields]


def chatgpt() -> dict[str, Any]:
    """A conversation of an export: a hidden system message, a question, an answer that was replaced, another one."""

    def node(id_: str, parent: str | None, children: list[str], role: str, *parts: Any, **more: Any) -> dict[str, Any]:
        content = {"content_type": "text", "parts": list(parts)}
        message = {"id": f"m-{id_}", "author": {"role": role}, "content": content, "create_time": 1.7e9, **more}
        return {"id": id_, "parent": parent, "children": children, "message": message if role else None}

    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    nodes = [
        node("root", None, ["sys"], ""),
        node("sys", "root", ["q"], "system", "secret", **hidden),
        node("q", "sys", ["bad", "good"], "user", "Where do I live?"),
        node("bad", "q", [], "assistant", "In Bergen."),
        node("good", "q", [], "assistant", "In Oslo.", {"content_type": "image_asset_pointer"}),
    ]
    mapping = {one["id"]: one for one in nodes}
    return {"title": "Home", "conversation_id": "c1", "current_node": "good", "mapping": mapping}


@pytest.mark.parametrize("current", ["good", None, "gone"])
def test_a_chatgpt_export_is_the_thread_that_was_shown(current: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, "conversations.json", json.dumps([{**chatgpt(), "current_node": current}]))

    assert ["Where do I live?", "In Oslo."] == said(found)
    assert [("chatgpt:c1", "m-q"), ("chatgpt:c1", "m-good")] == [(one.source, one.position) for one in found]
    assert {"2023-11-14T22:13:20Z"} == {one.fields["occurred_at"] for one in found if isinstance(one, Piece)}


def test_a_claude_export_is_its_messages(tmp_path: Path) -> None:
    said_there = [
        {"uuid": "a", "sender": "human", "text": "I live in Oslo.", "created_at": "2024-04-02T10:00:00Z"},
        {"uuid": "b", "sender": "assistant", "text": "", "content": [{"type": "text", "text": "Noted."}]},
        {"uuid": "c", "sender": "human", "text": ""},
    ]
    export = [{"uuid": "c1", "name": "Home", "created_at": "2024-04-01", "chat_messages": said_there}]
    found = read(tmp_path, "conversations.json", json.dumps(export))

    assert ["I live in Oslo.", "Noted."] == said(found)
    assert [("user", "claude:c1", "a"), ("assistant", "claude:c1", "b")] == [
        (one.fields["role"], one.source, one.position) for one in found if isinstance(one, Piece)
    ]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("[", "it is cut off"),
        ('[{"role": "user", "content": "Hi"}, {"role": "us', "it is cut off"),
        ('[{"role": "user", "content": "Hi"}, {]', "it is cut off"),
        ("{", "it is cut off"),
        ("hello", "it is not JSON"),
        ("[1]", "it is not an object"),
        ('["words"]', "it is not an object"),
        ("{}", "it has no content"),
        ("[]", "there is no text in it"),
        ('[{"role": "user", "content": 7}]', "its content is not text"),
        ('[{"mapping": {}}]', "the conversation has no messages"),
    ],
)
def test_a_file_of_another_shape_is_named_and_what_is_whole_is_kept(text: str, last: str, tmp_path: Path) -> None:
    found = read(tmp_path, "a.json", text)

    assert last == said(found)[-1]
    assert said(found)[:-1] in ([], ["Hi"])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a"\\{[,', max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(st.lists(VALUES, max_size=5), st.integers(1, 9), st.sampled_from([None, 1]))
def test_a_list_read_in_blocks_is_the_list_read_whole(values: list[Any], block: int, indent: int | None) -> None:
    text = json.dumps(values, indent=indent)

    class Slow:
        """Gives a few characters at a time."""

        def __init__(self) -> None:
            self.at = 0

        def read(self, _: int) -> str:
            """The next few."""
            self.at += block
            return text[self.at - block : self.at]

    assert values == [json.loads(one or "") for one in elements(Slow())]  # type: ignore[arg-type]  # reads only
    if text != "[]":
        cut = text[: random.Random(block).randrange(1, len(text) - 1)].rstrip()
        with pytest.raises(CutOff):
            list(elements(io.StringIO(cut)))
