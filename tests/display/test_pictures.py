"""Pictures of a memory: well-formed, whole in themselves, the same each time, and true to what is known."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.display.axis import FIRST, LAST, TICKS, axis_of
from hornbook.display.raster import rastered
from hornbook.display.svg import LIGHT, Picture
from hornbook.display.timeline import Bar, states
from hornbook.graph.clock import DAY, ticking
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.memory import Memory

SVG = "{http://www.w3.org/2000/svg}"


def titles(picture: Picture) -> list[str]:
    root = ElementTree.fromstring(picture.svg)
    return [one.text or "" for group in root.iter(f"{SVG}g") for one in group.findall(f"{SVG}title")]


def names(picture: Picture) -> set[str]:
    return {title.partition(" (")[0] for title in titles(picture)}


def texts(picture: Picture) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]


def filled(memory: Memory) -> Memory:
    memory.claim("Ana", "lives_in", "Berlin", valid_from="2020")
    memory.claim("Ana", "lives_in", "Munich", valid_from="2021-06")
    memory.claim("Ana", "sister", "Ben")
    memory.claim("Ben", "works_for", "Acme")
    memory.claim("Acme", "based_in", "Oslo")
    memory.claim("Eva", "likes", "long walks")
    return memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        yield filled(memory)


def test_a_timeline_shows_what_was_known_when_and_where_it_is_contested(memory: Memory) -> None:
    memory.resolve("Ana", "lives_in", "winner", winner="Munich", reason="she said so")
    line = states(memory._store, "Ana", "lives_in", None)

    berlin, munich = parse_moment("2020").at, parse_moment("2021-06").at
    disputed = ((munich, FOREVER),)
    assert (Bar("Berlin", berlin, FOREVER, 1, berlin),) == line.bands[0].bars
    assert (
        Bar("Berlin", berlin, FOREVER, 1, berlin, disputed),
        Bar("Munich", munich, FOREVER, 1, munich, disputed),
    ) == line.bands[1].bars
    assert not any(bar.disputed for bar in line.bands[-1].bars)
    assert "contest resolved" == line.bands[-1].note


def test_what_has_no_start_is_pale_before_it_was_said(memory: Memory) -> None:
    memory.claim("Eva", "lives_in", "Oslo", occurred_at="2024-02-19", speaker="Ana")
    memory.claim("Eva", "lives_in", "Bergen", occurred_at="2024-06-10", speaker="Ben")
    line = states(memory._store, "Eva", "lives_in", None)

    said = parse_moment("2024-02-19").at, parse_moment("2024-06-10").at
    assert [(ALWAYS, begin) for begin in said] == [(bar.since, bar.begin) for bar in line.bands[-1].bars]
    picture = memory.timeline("Eva", "lives_in")
    assert 3 == picture.svg.count('opacity="0.35"') and "2024-04" in texts(picture)


def test_a_timeline_reads_as_text(memory: Memory) -> None:
    picture = memory.timeline("Ana", "lives_in")

    assert [
        "Berlin: since 2020-01-01",
        "Berlin (contested): since 2020-01-01",
        "Munich (contested): since 2021-06-01",
    ] == titles(picture)
    assert {"Ana lives_in", "2026-01-01 00:00:01"} <= set(texts(picture))
    assert "Picture('Ana lives_in', 960 x " in repr(picture)


def test_a_timeline_as_known_then_shows_nothing_later(memory: Memory) -> None:
    known = memory.history("Ana", "lives_in")[0].as_dict()["recorded_at"]

    assert ["Berlin: since 2020-01-01"] == titles(memory.timeline("Ana", "lives_in", knowledge_at=known))


def test_many_changes_leave_the_oldest_out_and_say_so() -> None:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        for number in range(45):
            memory.claim("Ana", "mood", f"m{number}", valid_from=f"20{10 + number}", intent="update")

        assert any("5 earlier changes are not drawn" in text for text in texts(memory.timeline("Ana", "mood")))


def test_a_band_of_very_many_claims_draws_some_and_counts_the_rest() -> None:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        for number in range(33):
            memory.claim("Ana", "likes", f"v{number}", valid_from="2020", cardinality="SetValued")

        picture = memory.timeline("Ana", "likes")
        assert "3 more are not drawn" in texts(picture)
        assert 30 == sum(" 2020-01-01" in title for title in titles(picture)[-30:])


def test_a_line_that_nobody_spoke_about_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.timeline("Ana", "height")
    with pytest.raises(NotFound):
        memory.timeline("Nobody", "height")


def test_a_plot_shows_entities_and_what_is_said_of_them(memory: Memory) -> None:
    picture = memory.plot()

    assert {"Ana (entity)", "long walks (value)"} <= set(titles(picture)) and {"Ana", "Berlin"} <= names(picture)
    assert 2 == texts(picture).count("lives_in (contested)")


def test_a_plot_around_an_entity_goes_so_many_steps(memory: Memory) -> None:
    near, far = names(memory.plot("Ana", 1)), names(memory.plot("ana", 3))

    assert {"Ana", "Berlin", "Munich", "Ben"} == near
    assert {"Ana", "Berlin", "Munich", "Ben", "Acme", "Oslo"} == far


def test_a_plot_shows_what_is_true_at_an_instant_as_known_then(memory: Memory) -> None:
    first = memory.history("Ana", "lives_in")[0].as_dict()["recorded_at"]

    assert "lives_in" in texts(memory.plot("Ana", 1, valid_at="2020-06"))
    assert "Munich" not in names(memory.plot("Ana", 1, valid_at="2020-06"))
    assert {"Ana", "Berlin"} == names(memory.plot(knowledge_at=first))


def test_merged_entities_are_one_node(memory: Memory) -> None:
    memory.claim("Annie", "likes", "tea")
    memory.merge("Ana", "Annie", reason="a nickname")

    assert not [title for title in titles(memory.plot()) if title.startswith("Annie")]
    assert "tea (value)" in titles(memory.plot("Ana", 1))


def test_what_is_said_of_itself_is_a_ring_and_an_empty_memory_is_drawn_empty() -> None:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        assert [] == titles(memory.plot())
        memory.claim("Ana", "trusts", "Ana")
        assert ["Ana (entity)"] == titles(memory.plot()) and "trusts" in texts(memory.plot())


def test_a_plot_draws_what_is_believed_what_is_not_and_what_follows_each_in_its_way(memory: Memory) -> None:
    memory.claim("Ana", "mood", "calm", mood="planned")
    memory.claim("Acme", "based_in", "Rome", polarity="not")
    memory.rules("knows(x, z) :- sister(x, y), works_for(y, z).")
    picture = memory.plot()

    assert {"mood", "not based_in", "knows"} <= set(texts(picture))
    for kind in ("edge", "clash", "beside", "derived"):
        assert f'class="{kind}"' in picture.svg
    assert {"red, dashed: contested", "derived", "not believed"} <= set(texts(picture))


def size_of(png: bytes) -> tuple[int, int]:
    assert b"\x89PNG\r\n\x1a\n" == png[:8]
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_a_picture_is_saved_as_png_light_or_dark_and_as_large_as_is_asked(memory: Memory, tmp_path: Path) -> None:
    picture = memory.plot()
    picture.save(tmp_path / "a.png")
    picture.save(tmp_path / "dark.PNG", dark=True, scale=1)

    assert (1800, 1240) == size_of((tmp_path / "a.png").read_bytes())
    assert (900, 620) == size_of((tmp_path / "dark.PNG").read_bytes())
    assert picture.png(scale=1) not in ((tmp_path / "dark.PNG").read_bytes(), memory.timeline("Ana", "lives_in").png())
    for wrong in (0, 11, "2", True):
        with pytest.raises(InvalidArgument):
            picture.png(scale=wrong)  # type: ignore[arg-type]  # that is what is tested


def test_a_png_has_its_letters_and_the_words_that_were_said() -> None:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        memory.claim("Ana", "says", "var(--ink)")
        said = memory.plot().png(scale=1)
        memory.claim("Ana", "says", "#1f2328", valid_from="2020", intent="update")
        other = memory.plot("Ana").svg.replace("#1f2328</text>", "</text>")
        assert said != rastered(other, LIGHT, 1.0)
        assert len(rastered(other, LIGHT, 1.0)) < len(memory.plot("Ana").png(scale=1))
        assert len(said) > 4_000


def test_a_plot_that_leaves_nodes_out_says_so(memory: Memory) -> None:
    picture = memory.plot(most=3)

    assert 3 == len(titles(picture))
    assert "(3 of 8 nodes are drawn)" in picture.title
    assert any(title.startswith("Ana") for title in titles(picture))


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 99}, {"most": 401}, {"depth": True}, {"around": ""}])
def test_a_plot_that_cannot_be_names_what_is_wrong(memory: Memory, wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidArgument):
        memory.plot(**wrong)  # type: ignore[arg-type]  # that is what is tested
    with pytest.raises(NotFound):
        memory.plot("Nobody")


def test_the_same_memory_gives_the_same_pictures(memory: Memory) -> None:
    assert memory.plot(valid_at="2023").svg == memory.plot(valid_at="2023").svg
    assert memory.timeline("Ana", "lives_in").svg == memory.timeline("Ana", "lives_in").svg
    with Memory.open(":memory:", user="ana", clock=ticking()) as other:
        assert memory.plot(valid_at="2023").svg == filled(other).plot(valid_at="2023").svg


def test_a_picture_does_not_depend_on_the_process() -> None:
    probe = (
        "from hornbook.graph.clock import ticking; from hornbook.memory import Memory\n"
        "with Memory.open(':memory:', user='ana', clock=ticking()) as memory:\n"
        "    for at in range(12): memory.claim(f'p{at % 7}', 'knows', f'p{at * 5 % 9}', cardinality='SetValued')\n"
        "    print(memory.plot(valid_at='2026-06').svg)"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", probe],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }

    assert 1 == len(drawn) and "<circle" in drawn.pop()


def test_hostile_words_stay_words_and_nothing_is_fetched(tmp_path: Path) -> None:
    hostile = "</text><script>alert(1)</script> & \x1b"
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        memory.claim(hostile, "says", hostile + "!")
        for picture in (memory.plot(), memory.timeline(hostile, "says")):
            kinds = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(picture.svg).iter()}
            assert "script" not in kinds
            assert not re.search(r"https?:(?!//www.w3.org/2000/svg\")|href|@import", picture.svg)
            assert "prefers-color-scheme:dark" in picture.svg
            picture.save(tmp_path / "a.svg")
            assert picture._repr_svg_() == (tmp_path / "a.svg").read_text(encoding="utf-8") == str(picture)


@given(st.lists(st.integers(FIRST, LAST), max_size=4), st.booleans())
@settings(max_examples=50)
def test_an_axis_shows_every_instant_with_few_ticks_in_order(instants: list[int], open_: bool) -> None:
    axis = axis_of([*instants, *([ALWAYS, FOREVER] if open_ else [])], 100, 900)
    places = [axis.x(at) for at in sorted(instants)]
    ticks = [at for at, _ in axis.ticks()]

    assert all(100 <= place <= 900 for place in places) and places == sorted(places)
    assert len(ticks) <= TICKS + 1 and all(axis.since <= at <= axis.until for at in ticks)
    assert all(one < other for one, other in pairwise(ticks))
    assert ticks or axis.until - axis.since < 3 * DAY
