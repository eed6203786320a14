"""All code in the pages is run: by the walk below, or by the test that is named here; what cannot be says why not."""

import re
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, NOT_RUN, ROOT, blocks, named, pages
from tests.docs.walk import walk

BY_OTHERS = {  # pages whose programs and commands a test of their own runs
    "README.md": "tests/test_readme.py",
    "docs/how-to/clients.md": "tests/docs/test_clients.py",
    "docs/how-to/forget.md": "tests/docs/test_keep_and_forget.py",
    "docs/how-to/ingest.md": "tests/docs/test_how_to_ingest.py",
    "docs/how-to/keep-and-move.md": "tests/docs/test_keep_and_forget.py",
    "docs/how-to/notebooks.md": "tests/docs/test_how_to_notebooks.py",
    "docs/how-to/serve.md": "tests/docs/test_serve_and_switch.py",
    "docs/how-to/switch.md": "tests/docs/test_serve_and_switch.py",
    "docs/reference/records.md": "tests/records/test_reference.py",
    "docs/tutorial/rules.md": "tests/reasoning/test_tutorial.py",
}
WITH_CODE = [page for page in pages() if any(block.language in ("python", "console") for block in blocks(page))]
WALKED = [page for page in WITH_CODE if named(page) not in BY_OTHERS]
LEAST = 30  # programs and examples in all pages; fewer means that they are not found any more


@pytest.fixture(autouse=True)
def _in_a_folder_and_a_home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("config", "cache", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))


@pytest.mark.parametrize("page", WALKED, ids=named)
def test_a_page_does_what_it_says(page: Path) -> None:
    assert 0 < walk(page)


def test_every_page_with_code_is_walked_or_has_a_test_of_its_own() -> None:
    assert {named(page) for page in WITH_CODE} == {*map(named, WALKED), *BY_OTHERS}
    for page, test in BY_OTHERS.items():
        assert re.search(rf"\b{re.escape(Path(page).name)}\b", (ROOT / test).read_text(encoding="utf-8")), (page, test)


def test_no_program_is_left_out_without_a_reason_and_none_is_overlooked() -> None:
    told = [block for page in pages() for block in blocks(page) if block.language in ("python", "console")]
    left_out = [block for block in told if block.words.startswith(NOT_RUN)]

    assert LEAST < sum(block.language == "python" for block in told)
    assert all(len(block.words.removeprefix(NOT_RUN).split()) > 3 for block in left_out)
    assert not [block for block in left_out if block.language == "python"]
    assert len(left_out) < 10


def test_no_other_word_for_python_hides_a_program() -> None:
    others = {"py", "python3", "pycon", "ipython", "Python"}

    assert [] == [named(page) for page in pages() for block in blocks(page) if block.language in others]
    assert [] == [
        named(page) for page in pages() for block in blocks(page) if block.language == "" and ">>>" in block.text
    ]


def test_the_tutorials_are_walked_as_a_reader_walks_them() -> None:
    assert DOCS / "tutorial" / "first-steps.md" in WALKED
