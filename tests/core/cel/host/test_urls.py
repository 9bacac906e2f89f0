"""What holds for the functions on URLs, hosts and mail addresses whatever the text; single texts stand in cases/."""

from __future__ import annotations

from email.utils import parseaddr
from ipaddress import ip_address
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oap_core.cel.failure import Code, EvalError
from tests.core.cel.host.calls import UNTOLD, answer, call

HOSTS = st.sampled_from(
    [
        *("good.example", "EVIL.example", "localhost", "a.b.", "a..b", "a_b.c", "-a.b", "xn--bcher-kva.de", "xn--a"),
        *("127.0.0.1", "127.1", "0x7f.1", "1.2.3.4.", "１.1.1.1", "[::1]", "[::ffff:1.2.3.4]", "[fe80::1%25e]"),
        *("bücher.de", "BÜCHER.de", "faß.de", "good。example", "ex\u00adample.com", "σας.gr", "İ.com", "\u212a.com"),
        *("℀.com", "中国.cn"),
    ]
)
SIGNS = st.sampled_from(
    [*"@:/?#\\%;,&[]*|^ \t\n\0", *("//", "@@", ":80", ":0", ":99999", "%40", "%2f", ":@", "／", "．")]
)
STARTS = st.sampled_from(
    ["http://"] * 6 + ["https://", "HTTP://", "ws://", "ssh://", "http:/", "http:", "//", "file://", ""]
)
URLS = st.builds(lambda start, parts: start + "".join(parts), STARTS, st.lists(HOSTS | SIGNS, max_size=5))
TEXT = URLS | st.text() | st.text(st.characters(codec=None), max_size=20)


def _other_reader(url: str) -> str:
    """The host that the standard library reads, in our spelling."""
    host = urlsplit(url).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        bare = host.removesuffix(".")
        return bare if bare.isascii() else bare.encode("idna").decode("ascii")
    return str(getattr(address, "ipv4_mapped", None) or address)


@given(URLS)
def test_a_host_is_the_one_that_the_standard_library_reads(url: str) -> None:
    found = answer("url_host", url)
    if found != UNTOLD:
        assert _other_reader(url) == found
        assert urlsplit(url).scheme == call("url_scheme", url)
        assert urlsplit(url).port in (None, call("url_port", url))


@given(HOSTS | st.text(min_size=1, max_size=12))
def test_letters_of_any_alphabet_lead_where_the_standard_library_leads(host: str) -> None:
    url = f"http://{host}/"
    if (found := answer("url_host", url)) != UNTOLD:
        assert _other_reader(url) == found


@given(URLS)
def test_a_host_is_its_own_spelling(url: str) -> None:
    found = answer("url_host", url)
    if found != UNTOLD:
        written = f"[{found}]" if ":" in found else found
        assert call("url_host", f"http://{written}/") == found
        assert found == found.lower()
        assert found.isascii()
        assert not found.endswith(".")
        is_address = ":" in found or found.replace(".", "").isdigit()
        assert call("domain_within", found, "example") in (True, False)
        assert answer("ip_in", found, "0.0.0.0/0") in ((True, False, UNTOLD) if is_address else (UNTOLD,))
        assert is_address or call("domain_within", found, found) is True


@given(URLS)
def test_host_and_port_are_told_together_or_not_at_all(url: str) -> None:
    assert (answer("url_host", url) == UNTOLD) == (answer("url_port", url) == UNTOLD)
    if answer("url_host", url) != UNTOLD:
        assert call("url_scheme", url) in {"http", "https", "ws", "ssh"}


@given(TEXT)
@example("http://\ud800/")
@example("http://good.example/\ud800")
@example("http://xn--" + "9" * 60 + "/")
@example("http://" + "ü" * 253 + "/")
@example("http://" + "\u0300\u0327" * 100 + ".com/")
def test_functions_on_urls_are_total(url: str) -> None:
    assert type(answer("url_host", url)) is str
    assert type(answer("url_scheme", url)) is str
    port = answer("url_port", url)
    assert port == UNTOLD or 0 < port < 65536


@pytest.mark.parametrize("name", ["url_scheme", "url_host", "url_port"])
def test_the_longest_url_is_bounded(name: str) -> None:
    longest = "http://example.com/".ljust(8192, "a")
    assert answer(name, longest) in ("http", "example.com", 80)
    with pytest.raises(EvalError) as failure:
        call(name, longest + "a")
    assert failure.value.code is Code.TOO_LARGE


LABELS = st.text("abAB1-_", min_size=1, max_size=4).filter(
    lambda label: label[0] != "-" and label[-1] != "-" and not label.isdigit()
)
NAMES = st.lists(LABELS, min_size=1, max_size=4).map(".".join)


@given(NAMES, NAMES)
def test_what_is_put_before_a_domain_lies_below_it(below: str, domain: str) -> None:
    assert call("domain_within", f"{below}.{domain}", domain) is True
    assert call("domain_within", domain, f"{below}.{domain}") is False
    # Without the dot between them it is another domain, unless it says so by chance.
    assert call("domain_within", f"a{domain}", domain) is (f"a{domain}".lower().endswith(f".{domain.lower()}"))


@given(NAMES, st.lists(NAMES, max_size=4).map(tuple))
def test_a_list_of_domains_is_any_of_them(host: str, domains: tuple[str, ...]) -> None:
    assert call("domain_within", host, domains) is any(call("domain_within", host, domain) for domain in domains)


@given(TEXT | HOSTS, TEXT | HOSTS | st.just("example"))
@example("\ud800", "example")
def test_domain_within_is_total(host: str, domain: str) -> None:
    assert answer("domain_within", host, domain) in (True, False, UNTOLD)
    assert answer("domain_within", host, (domain, "example")) in (True, False, UNTOLD)


MAIL = st.builds(
    "".join,
    st.lists(
        HOSTS
        | st.sampled_from(["kim", "@", "@", '"', "<", ">", "(", ")", ",", ";", ":", " ", "\n", "%", "!", "=?", "+"]),
        max_size=6,
    ),
)


@given(MAIL | st.builds("{}@{}".format, st.text("kim.+-'=_#", max_size=8), HOSTS))
def test_a_domain_is_the_one_that_the_standard_library_reads(address: str) -> None:
    found = answer("email_domain", address)
    if found != UNTOLD:
        _, read = parseaddr(address)
        domain = read.rpartition("@")[2].lower()
        assert read == address
        assert (domain if domain.isascii() else domain.encode("idna").decode("ascii")) == found


@given(MAIL | TEXT)
@example("kim@\ud800")
def test_email_domain_is_total(address: str) -> None:
    assert type(answer("email_domain", address)) is str


def test_the_longest_address_is_bounded() -> None:
    longest = "kim@" + ".".join(["a" * 49] * 5)
    assert len(longest) == 253
    assert answer("email_domain", longest + "a") == longest[4:] + "a"
    assert answer("email_domain", longest + "aa") == UNTOLD
