"""Each signal by its formula, on columns small enough to check by hand."""

import math

import numpy as np
import pytest

from hornbook.graph.clock import DAY
from hornbook.graph.retrieval import signals
from hornbook.graph.retrieval.documents import UNDATED


def column(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(values, np.float32)


def rows(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


def test_semantic_is_the_cosine_and_never_negative() -> None:
    assert [0.5, 0.0] == signals.semantic(column(0.5, -0.5)).tolist()


def test_lexical_is_a_share_of_the_best_hit_times_the_coverage() -> None:
    assert [0.5, 0.25, 0.0] == signals.lexical(column(8, 4, 0), 0.5).tolist()
    assert [0.0, 0.0] == signals.lexical(column(0, 0)).tolist()


def test_coverage_is_the_best_bm25_over_what_all_words_could_earn() -> None:
    assert 4 / (0.7 * 2 * math.log(101)) == pytest.approx(signals.coverage(column(4, 1), 2, 100))
    assert 1.0 == signals.coverage(column(400), 2, 100)
    assert 0.0 == signals.coverage(column(), 2, 0)


def test_match_is_the_weighted_sum_scaled_to_its_best() -> None:
    assert [1.0, pytest.approx(0.5 / 1.2)] == signals.match(column(1, 0), column(0.5, 0.5), 0.7).tolist()


def test_an_answer_gets_more_from_the_question_before_it_than_a_question_from_its_answer() -> None:
    match = column(1, 0, 0, 0)
    asks = np.array([True, False, False, False])
    got = signals.neighbours(match, rows(-1, 0, 1, 2), rows(1, 2, 3, -1), asks)

    assert [0.0, pytest.approx(0.3), pytest.approx(0.02), 0.0] == got.tolist()


def test_the_turn_before_a_match_gets_a_tenth_of_it() -> None:
    got = signals.neighbours(column(0, 1), rows(-1, 0), rows(1, -1), np.array([False, False]))

    assert [pytest.approx(0.1), 0.0] == got.tolist()


def test_the_speaker_counts_only_when_one_is_named() -> None:
    nobody = np.zeros(3, bool)

    assert [1.0, 0.0, 0.0] == signals.speaker(rows(3, 1, -1), 3, nobody).tolist()
    assert [0.0, 0.0, 0.0] == signals.speaker(rows(3, 1, -1), None, ~nobody).tolist()


def test_what_another_says_of_the_person_counts_as_much() -> None:
    assert [1.0, 1.0, 0.0] == signals.speaker(rows(3, 1, -1), 3, np.array([False, True, False])).tolist()


def test_turns_without_a_session_have_no_company() -> None:
    assert [0.0, 0.0] == signals.session(column(1, 1), rows(-1, -1)).tolist()


def test_graph_is_a_share_of_the_nearest() -> None:
    assert [1.0, 0.5, 0.0] == signals.graph(column(0.2, 0.1, 0)).tolist()


def test_recency_halves_with_every_half_life_and_is_silent_without_a_date() -> None:
    got = signals.recency(rows(0, 30 * DAY, 60 * DAY, 90 * DAY, UNDATED), 60 * DAY, 30)

    assert [0.25, 0.5, 1.0, 1.0, 0.0] == got.tolist()


def test_time_affinity_fades_with_the_distance_measured_in_periods() -> None:
    got = signals.temporal(rows(0, 9 * DAY, 20 * DAY, UNDATED), (0, 10 * DAY))

    assert [1.0, 1.0, pytest.approx(math.exp(-1)), 0.0] == got.tolist()
    assert [0.0] == signals.temporal(rows(0), None).tolist()


def test_an_instant_asked_about_is_a_day_wide() -> None:
    assert [pytest.approx(math.exp(-1))] == signals.temporal(rows(2 * DAY), (DAY, DAY)).tolist()
