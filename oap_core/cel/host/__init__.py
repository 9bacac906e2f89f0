"""The core's host functions: paths, URLs, host names, mail addresses and IP addresses, as expressions call them.

Each answers only where every program behind a tool would read its argument in the same way, so that an answer may
carry a grant and a wall alike; otherwise it fails with invalid_argument, which counts against the call in both.
"""

from collections.abc import Callable
from typing import Final

from oap_core.cel.functions import Function, Overload
from oap_core.cel.host.addresses import ip_in
from oap_core.cel.host.disk import within_on_disk
from oap_core.cel.host.domains import domain_within
from oap_core.cel.host.effort import foreign_units, pattern_units
from oap_core.cel.host.filesystem import FileSystem
from oap_core.cel.host.globs import glob
from oap_core.cel.host.mail import email_domain
from oap_core.cel.host.paths import within
from oap_core.cel.host.urls import url_host, url_port, url_scheme
from oap_core.cel.types import BOOL, INT, STRING, ListType, Type

__all__ = ["HOST_FUNCTIONS", "host_functions"]

_GROUP: Final = "host"
_SEVERAL: Final = ListType(STRING)


def host_functions(*, fold_case: bool | None = None, windows: bool | None = None) -> tuple[Function, ...]:
    """All of them, for the file system that the tools of a host work on.

    `fold_case`: names that differ in letter case alone are one name; None: as on the platform (Windows and macOS fold).
    `windows`: paths are those of Windows; None: as on the platform. Nothing is asked of the disk to find out.
    """
    system = FileSystem.of(fold_case=fold_case, windows=windows)
    return (*_on_paths(system), *_ON_NAMES)


def _on_paths(system: FileSystem) -> tuple[Function, ...]:
    return (
        Function(
            "within",
            _with_base(within, system, ("x", _top(system))),
            "Whether a path is a folder or lies below it, by the names alone: `.`, `..` and doubled separators are "
            "taken out first, and links are not seen. A third argument is the folder that a relative path starts "
            "from; without it, one that climbs out of the folder cannot be told. Refuses what programs read in "
            "different ways: a leading `~`, `$`, `//` or `name:`, control characters, white space at the ends, and a "
            "backslash where it makes a difference.",
            examples=(
                ("within('/w/app/src/../x.py', '/w/app')", "true"),
                ("within('/w/app-old/x.py', '/w/app')", "false"),
                ("within('/w/app/../etc/passwd', '/w/app')", "false"),
                ("within('src/x.py', '/w/app')", "true"),
                ("within('../secret/x.py', '/w/app', '/w/app')", "false"),
            ),
            group=_GROUP,
        ),
        Function(
            "within_on_disk",
            _with_base(within_on_disk, system),
            "Whether a path is a folder or lies below it on this machine's file system at this moment, with all links "
            "resolved. What does not exist yet is judged by the folder it would be made in. Refuses what `within` "
            "refuses, loops, links to nothing, links of `/proc`, and what may not be looked at. A folder may be "
            "exchanged for a link between this look and the tool's own, and hard links are not seen.",
            examples=(("within_on_disk('/', '/')", "true"),),
            group=_GROUP,
            reads_world=True,
        ),
        Function(
            "glob",
            _with_base(glob, system, (f"{_top(system)}/x", f"{_top(system)}/*"), ("x", "*"), extra=pattern_units),
            "Whether the whole of a path, with `.`, `..` and doubled separators taken out, has the shape of a pattern: "
            "`?` one character, `*` any number within a name (a leading dot as well), `**` any number of whole names "
            "(none as well), `[a-z]` and `[!a-z]` one character, `{a,b}` either. A third argument is the folder that "
            "relative paths and relative patterns start from; without it, a pattern that begins with `**` fits a "
            "relative path by the names in it, and a path and a pattern of which one is relative cannot be told. "
            "Refuses the paths that `within` refuses, and patterns that could be meant in two ways.",
            examples=(
                ("glob('/w/x/../.env', '**/.env')", "true"),
                ("glob('/w/app/.ssh/id_rsa', '**/.ssh/**')", "true"),
                ("glob('/w/app/src/main.py', '/w/*/src/*.{py,pyi}')", "true"),
                ("glob('/w/app/src/main.py', '/w/*.py')", "false"),
                ("glob('src/main.py', 'src/**', '/w/app')", "true"),
            ),
            group=_GROUP,
        ),
    )


def _with_base(
    judge: Callable[[str, str, str | None, FileSystem], bool],
    system: FileSystem,
    *samples: tuple[str, str],
    extra: Callable[..., int] | None = None,
) -> tuple[Overload, ...]:
    """The two overloads. `samples` are a path and what it is judged by; the path of the last one is relative."""
    based_samples = tuple((*sample, _top(system)) for sample in samples[-1:])

    def without(path: str, other: str) -> bool:
        return judge(path, other, None, system)

    def based(path: str, other: str, base: str) -> bool:
        return judge(path, other, base, system)

    return (
        Overload((STRING, STRING), BOOL, without, scans=True, units=1, extra=extra, samples=samples),
        Overload((STRING, STRING, STRING), BOOL, based, scans=True, units=1, extra=extra, samples=based_samples),
    )


def _top(system: FileSystem) -> str:
    """A folder of the file system."""
    return "c:/srv" if system.windows else "/srv"


def _of_text(result: Type, implementation: Callable[[str], str | int]) -> tuple[Overload, ...]:
    return (Overload((STRING,), result, implementation, scans=True, units=1, extra=foreign_units),)


def _in_one_or_several(
    judge: Callable[[str, str | tuple[object, ...]], bool], *samples: tuple[str, str]
) -> tuple[Overload, ...]:
    several = tuple((one, (other,)) for one, other in samples)
    return (
        Overload((STRING, STRING), BOOL, judge, scans=True, units=1, extra=foreign_units, samples=samples),
        Overload((STRING, _SEVERAL), BOOL, judge, scans=True, units=1, extra=foreign_units, samples=several),
    )


_ON_NAMES: Final = (
    Function(
        "url_scheme",
        _of_text(STRING, url_scheme),
        "The scheme of a URL in lower case. Refuses white space, control characters and backslashes anywhere, a single "
        "letter (a drive), and a scheme without `//` unless it is known to need none.",
        examples=(
            ("url_scheme('HTTPS://example.com/')", "'https'"),
            ("url_scheme('javascript:alert(1)')", "'javascript'"),
        ),
        group=_GROUP,
    ),
    Function(
        "url_host",
        _of_text(STRING, url_host),
        "The host that a URL of http, https, ws, wss, ftp, ssh, sftp or git leads to: a name in lower-case ASCII "
        "(punycode) without a final dot, or an address without brackets. Refuses every URL on which browsers and other "
        "programs may disagree: besides what `url_scheme` refuses, odd spellings of addresses, encoded or full-width "
        "characters in the host, a second `@`. It does not resolve names.",
        examples=(
            ("url_host('https://user@Example.COM.:8443/x')", "'example.com'"),
            ("url_host('https://bücher.example/')", "'xn--bcher-kva.example'"),
            ("url_host('http://[0:0::1]/')", "'::1'"),
        ),
        group=_GROUP,
    ),
    Function(
        "url_port",
        _of_text(INT, url_port),
        "The port that a URL leads to, the usual one of its scheme where none is written. Refuses what `url_host` "
        "refuses, and ports outside of 1 to 65535.",
        examples=(("url_port('https://example.com/')", "443"), ("url_port('http://[::1]:8080/')", "8080")),
        group=_GROUP,
    ),
    Function(
        "domain_within",
        _in_one_or_several(domain_within, ("a.example", "a.example")),
        "Whether a host is a domain or lies below it, or below one of a list, compared label by label. An IP address "
        "lies below none. Refuses what is not a host, and a domain with a dot or a star before it.",
        examples=(
            ("domain_within('mail.example.com', 'example.com')", "true"),
            ("domain_within('evilexample.com', 'example.com')", "false"),
            ("domain_within('example.org', ['example.com', 'example.org'])", "true"),
        ),
        group=_GROUP,
    ),
    Function(
        "email_domain",
        _of_text(STRING, email_domain),
        "The domain of one plain mail address in lower-case ASCII. Refuses everything but `name@domain`: several "
        "addresses, display names, comments, quoted or encoded names, routes, IP addresses, white space.",
        examples=(
            ("email_domain('kim@Example.COM')", "'example.com'"),
            ("email_domain('kim+list@bücher.example')", "'xn--bcher-kva.example'"),
        ),
        group=_GROUP,
    ),
    Function(
        "ip_in",
        _in_one_or_several(ip_in, ("192.0.2.1", "192.0.2.0/24"), ("192.0.2.1", "2001:db8::/32")),
        "Whether an IP address lies in a network (`10.0.0.0/8`), or in one of a list. An IPv4 address written as IPv6 "
        "is the IPv4 address; one that a gateway may turn into an address inside the network cannot be told. Refuses "
        "names, zones, every odd spelling, and networks without a length or with bits behind it. It does not resolve "
        "names.",
        examples=(
            ("ip_in('10.1.2.3', '10.0.0.0/8')", "true"),
            ("ip_in('::ffff:10.1.2.3', ['192.168.0.0/16', '10.0.0.0/8'])", "true"),
            ("ip_in('2001:db8::1', '10.0.0.0/8')", "false"),
        ),
        group=_GROUP,
    ),
)

HOST_FUNCTIONS: Final = host_functions()
"""All of them, for the platform that this runs on."""
