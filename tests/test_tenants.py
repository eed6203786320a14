"""Tenants: leases, eviction, folders."""

import threading
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.graph.errors import InvalidArgument, StoreError
from hornbook.tenants import Tenants, checked_user, folder_of, user_of


class Opened:
    """A memory that records whether it is open; a second open of one user at a time is a fault."""

    now: ClassVar[set[str]] = set()

    def __init__(self, user: str) -> None:
        assert user not in Opened.now, "opened twice"
        Opened.now.add(user)
        self.user = user

    def close(self) -> None:
        Opened.now.remove(self.user)


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    Opened.now = set()


def test_a_user_has_one_open_memory_however_many_requests_lease_it() -> None:
    tenants = Tenants(Opened)
    with tenants.lease("ana") as first, tenants.lease(" ana ") as second:
        assert first is second


def test_only_an_unleased_memory_is_closed_and_the_one_unused_longest_first() -> None:
    tenants = Tenants(Opened, most=2)
    with tenants.lease("ana"):
        for user in ("ben", "cleo", "dora"):
            with tenants.lease(user):
                pass
        assert {"ana", "dora"} == Opened.now


def test_memories_in_use_may_be_more_than_the_limit_and_shrink_afterwards() -> None:
    tenants = Tenants(Opened, most=1)
    with tenants.lease("ana"), tenants.lease("ben"):
        assert {"ana", "ben"} == Opened.now
    assert 1 == len(Opened.now)


def test_a_failed_opening_leaves_the_user_free_to_be_opened_again() -> None:
    answers = [OSError("disk"), None]

    def open_memory(user: str) -> Opened:
        if (answer := answers.pop(0)) is not None:
            raise answer
        return Opened(user)

    tenants = Tenants(open_memory)
    with pytest.raises(OSError, match="disk"), tenants.lease("ana"):
        pass
    with tenants.lease("ana") as memory:
        assert "ana" == memory.user


def test_many_threads_over_many_users_never_open_one_twice() -> None:
    tenants = Tenants(Opened, most=2)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(50):
                with tenants.lease(f"user{(number + step) % 5}"):
                    pass
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [] == failures
    tenants.close()
    assert set() == Opened.now


def test_a_closed_house_leases_nothing() -> None:
    tenants = Tenants(Opened)
    tenants.close()
    with pytest.raises(StoreError), tenants.lease("ana"):
        pass


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_users_never_share_a_folder_even_where_case_is_ignored(one: str, other: str) -> None:
    assert (folder_of(one).casefold() == folder_of(other).casefold()) == (one == other)


@given(st.text(min_size=1))
def test_a_folder_is_one_plain_name_that_is_listed_and_no_device(user: str) -> None:
    folder = folder_of(user)
    assert set(folder) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-=.") and len(folder) <= 96
    assert folder[0] not in "-." and folder[-1] != "." and folder not in ("con", "nul", "com1")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))
def test_a_folder_tells_whose_it_is(user: str) -> None:
    assert user == user_of(folder_of(user))


@pytest.mark.parametrize("folder", ["Ana", "=41=ZZ", "=61na", "con", "-a", "", ".git", "ana.db", "=c3"])
def test_a_folder_that_no_user_has_is_nobodys(folder: str) -> None:
    assert user_of(folder) is None


@pytest.mark.parametrize("user", ["", "  ", None, "a" * 300, "a\nb", "a\x85", "a\ud800", 7])
def test_a_user_that_is_no_name_is_refused(user: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        checked_user(user)
    assert "user_id" == caught.value.field
