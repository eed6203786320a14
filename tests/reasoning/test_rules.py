"""Cases in files: `rules/*.hb` are facts, rules and everything expected; `rules/neg_*.hb` must be refused, so."""

import re
from pathlib import Path

import pytest

from hornbook.graph.dates import parse_moment
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning import packs
from hornbook.reasoning.compiled import compile
from hornbook.reasoning.errors import Located
from hornbook.reasoning.evaluate import Backend, evaluate
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.proof import when
from hornbook.reasoning.relation import Fact
from hornbook.reasoning.syntax import Const, names_used

FOLDER = Path(__file__).parent / "rules"
GOOD = sorted(file for file in FOLDER.glob("*.hb") if not file.name.startswith("neg_"))
BAD = sorted(FOLDER.glob("neg_*.hb"))
LINE = re.compile(r"(?P<atom>.*?\))\s*(?:\[(?P<start>[^,]*), (?P<end>[^)]*)\))?")


def sections(file: Path) -> dict[str, str]:
    """The parts of a case, by their headings."""
    parts = re.split(
        r"^%% (\w+)\n", "%% rules\n" * (not file.read_text().startswith("%%")) + file.read_text(), flags=re.M
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def facts(text: str) -> list[tuple[str, Fact]]:
    """The facts of a case: an atom, and its piece where it has one."""
    found = []
    for number, line in enumerate(text.splitlines()):
        match = LINE.fullmatch(line)
        assert match, line
        (rule,) = parse_program(match["atom"] + ".").rules
        assert rule.head is not None
        terms = tuple(arg.value for arg in rule.head.args if isinstance(arg, Const))
        found.append(
            (rule.head.predicate, Fact(terms, f"f{number}", at(match["start"], ALWAYS), at(match["end"], FOREVER)))
        )
    return found


def at(written: str | None, default: int) -> int:
    """An end of a piece; … is open."""
    return default if written in (None, "…") else parse_moment(str(written)).at


@pytest.mark.parametrize("backend", ["naive", "duckdb"])
@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.stem)
def test_the_rules_give_what_is_expected_and_nothing_else(file: Path, backend: Backend) -> None:
    parts = sections(file)
    program = parse_program(parts["rules"])
    relations: dict[str, list[Fact]] = {name: [] for name in names_used(program)}
    for name, fact in facts(parts["facts"]):
        relations.setdefault(name, []).append(fact)
    result = evaluate(compile(program), relations, backend=backend)

    expected = {(name, fact.terms, fact.valid_from, fact.valid_to) for name, fact in facts(parts["expected"])}
    heads = result.compiled.heads
    assert expected == {
        (row.predicate, row.terms, row.start, row.end) for name in heads for row in result.relation(name)
    }


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_a_bad_program_is_refused_with_place_and_mend(file: Path) -> None:
    parts = sections(file)
    with pytest.raises(Located) as refused:
        compile(parse_program(parts["rules"]))

    assert parts["refused"].strip() == refused.value.report()
    assert refused.value.mend
    assert refused.value.detail()["line"] >= 1


@pytest.mark.parametrize("name", packs.names())
def test_a_shipped_pack_compiles_and_runs_without_facts(name: str) -> None:
    result = evaluate(compile(packs.pack(name)), {})

    assert not result.violations()
    assert all(not result.relation(head) for head in result.compiled.heads)


def test_all_packs_together_are_one_program() -> None:
    program = parse_program("\n".join(packs.text(name) for name in packs.names()))

    assert {"ancestor_of", "within", "colleague_of", "worked_before", "may_like"} <= compile(program).heads


def test_an_open_piece_is_shown_with_dots() -> None:
    assert "[2020-01-01, …)" == when(parse_moment("2020").at, FOREVER)
