"""`domain_within`: whether a host belongs to a domain, compared label by label and never by the end of the text."""

from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host import hosts

DOMAINS: Final = 10_000
"""Most domains in one list."""


def domain_within(host: str, domain: str | tuple[object, ...]) -> bool:
    """Whether a host is a domain or lies below it, or below one of several.

    An IP address lies below no domain. Raises `EvalError` (invalid_argument, too_large, no_such_overload): every domain
    has to be a name, without a dot or a star before it.
    """
    found = hosts.host(host)
    texts = (domain,) if isinstance(domain, str) else domain
    if len(texts) > DOMAINS:
        raise EvalError(Code.TOO_LARGE)
    domains = set(map(_element, texts))
    return any(below in domains for below in _parents(found))


def _element(text: object) -> str:
    if not isinstance(text, str):
        raise EvalError(Code.NO_SUCH_OVERLOAD)
    return hosts.name(text)


def _parents(host: str) -> list[str]:
    """The host, what is left without its first label, and so on."""
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(len(labels))]
