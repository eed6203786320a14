"""Who may see the pages: one browser that was given the link, on this machine, and nobody's page on its behalf."""

from collections.abc import Iterator

import pytest
from tests.explore.served import Read, Served, raw, served

from hornbook.explore.guard import is_local
from hornbook.memory import Memory

SECRET = "the gate code is 4471"


@pytest.fixture(scope="module")
def pages() -> Iterator[Served]:
    with Memory.open(":memory:", user="ana") as memory:
        memory.claim("Ana", "gate_code", SECRET)
        with served(memory) as pages:
            yield pages


def test_without_the_link_nothing_is_told(pages: Served) -> None:
    with pages.client() as client:
        for path in ("/", "/entity?name=Ana", "/graph.json", "/search?q=gate", "/nowhere", "/?token=", "/?token=wrong"):
            reply = client.get(path)
            assert 401 == reply.status_code, path
            assert "ana" not in reply.text.lower() and "4471" not in reply.text
            assert "Open the link" in Read(reply.text).words


@pytest.mark.parametrize(("method", "path"), [("GET", "/assets/other"), ("POST", "/assets/explore.css"), ("PUT", "/")])
def test_nor_by_a_way_round(pages: Served, method: str, path: str) -> None:
    with pages.client() as client:
        reply = client.request(method, path)

    assert 401 == reply.status_code and "ana" not in reply.text.lower()


def test_the_link_is_good_once_and_leaves_no_token_behind(pages: Served) -> None:
    token = pages.session.token
    with pages.client() as client:
        entered = client.get(f"/entity?name=Ana&token={token}")
        assert (303, "/entity?name=Ana") == (entered.status_code, entered.headers["location"])
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie
        assert token not in cookie
        assert SECRET in client.get("/entity?name=Ana").text
    with pages.client() as other:
        assert 401 == other.get(f"/?token={token}").status_code
        assert 303 == other.get(f"/?token={pages.tokens[-1]}").status_code, "who used it up was told the next"


@pytest.mark.parametrize("path", ["//example.org/x", "/\\example.org", "///example.org"])
def test_the_way_on_from_the_link_never_leaves_this_server(pages: Served, path: str) -> None:
    request = f"GET {path}?token={pages.session.token} HTTP/1.1\r\nHost: 127.0.0.1:{pages.port}\r\n\r\n"
    answer = raw(pages.port, request.encode())

    (location,) = [line for line in answer.decode().split("\r\n") if line.lower().startswith("location:")]
    assert is_local(location.partition(": ")[2])


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost.example.org:{port}", ""])
def test_a_name_that_was_rebound_to_this_machine_is_refused(pages: Served, host: str) -> None:
    with pages.browser() as browser:
        reply = browser.client.get("/", headers={"Host": host.format(port=pages.port)})

    assert 421 == reply.status_code and "4471" not in reply.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},  # a page of another port of this machine
    ],
    ids=["other", "null", "other port", "embedded", "fetched"],
)
def test_pages_of_others_read_nothing_even_with_the_cookie(pages: Served, headers: dict[str, str]) -> None:
    with pages.browser() as browser:
        assert 403 == browser.client.get("/", headers=headers).status_code


def test_a_link_from_elsewhere_is_followed(pages: Served) -> None:
    came = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    with pages.browser() as browser:
        assert 200 == browser.client.get("/", headers=came).status_code


def test_what_every_reply_carries(pages: Served) -> None:
    with pages.browser() as browser:
        for path in ("/", "/assets/explore.js", "/graph.json", "/nowhere"):
            headers = browser.client.get(path).headers
            assert "no-store" == headers["cache-control"]
            assert "nosniff" == headers["x-content-type-options"]
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
            assert "server" not in headers


def test_an_address_has_its_bounds(pages: Served) -> None:
    with pages.browser() as browser:
        assert 414 == browser.client.get("/search", params={"q": "x" * 20_000}).status_code
        assert 413 == browser.client.get("/search", params={"q": "x" * 5_000}).status_code
        assert 200 == browser.client.get("/search?" + "&".join(f"a{n}=1" for n in range(500)) + "&q=x").status_code


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_do_nothing(pages: Served, method: str) -> None:
    with pages.browser() as browser:
        assert 405 == browser.client.request(method, "/").status_code


def test_a_head_request_has_no_body(pages: Served) -> None:
    with pages.browser() as browser:
        reply = browser.client.head("/")
    assert (200, b"") == (reply.status_code, reply.content)
