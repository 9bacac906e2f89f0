"""The parts of CEL and of its extensions that are left out here, each with what to use instead.

A policy is read by people and checked before it runs. What would need values that can be absent, loops over pairs,
names bound within an expression, or a second way to say the same, is left out, and whoever writes it is told so.
"""

from typing import Final

_OPTIONAL: Final = "optional values are left out; write `has(a.b) ? a.b : other`"
_PAIRS: Final = "loops with two variables are left out; loop over the keys of a map, and read its values with `m[key]`"
_BIND: Final = "put the value into the `variables` of the policy and use its name"
_MATH: Final = "the math extension is left out; write the comparison out, as in `a > b ? a : b`"
_SETS: Final = "the sets extension is left out; write `a.all(x, x in b)`"
_NETWORK: Final = "the network extension is left out; `ip_in(address, range)` says whether an address lies in a range"
_URL: Final = "take a URL apart with `url_host`, `url_scheme` and `url_port`"
_ENCODERS: Final = "the encoders are left out; compare the encoded texts"
_REGEX: Final = "the regex extension is left out; `text.matches(pattern)` tests a text"
_QUANTITIES: Final = "the quantities of Kubernetes are left out; compare numbers"
_LISTS: Final = "the lists extension is left out; use `map`, `filter`, `exists`, `all` and `size`"

LEFT_OUT_MACROS: Final[dict[str, str]] = {
    "cel.bind": _BIND,
    "cel.block": _BIND,
    "cel.index": _BIND,
    "cel.iterVar": _BIND,
    "proto.getExt": "there are no messages here, only JSON values",
    "proto.hasExt": "there are no messages here, only JSON values",
    "optMap": _OPTIONAL,
    "optFlatMap": _OPTIONAL,
    "sortBy": _LISTS,
    "transformList": _PAIRS,
    "transformMap": _PAIRS,
    "transformMapEntry": _PAIRS,
}
"""Macros, refused by the parser because they bind names. A dotted name is called like that, others are methods."""

TWO_VARIABLES: Final = _PAIRS
"""What to say about a standard macro that is given two loop variables."""

LEFT_OUT: Final[dict[str, str]] = {
    **dict.fromkeys(("optional.of", "optional.ofNonZeroValue", "optional.none", "optional.unwrap"), _OPTIONAL),
    **dict.fromkeys(("hasValue", "orValue", "or", "value", "unwrapOpt"), _OPTIONAL),
    **dict.fromkeys(("math.greatest", "math.least", "math.sign", "math.sqrt"), _MATH),
    "math.abs": "the math extension is left out; write `x < 0 ? -x : x`",
    "compareTo": "write `<`, `==` or `>`",
    **dict.fromkeys(
        ("math.ceil", "math.floor", "math.round", "math.trunc"), "`int(x)` cuts a double to a whole number"
    ),
    **dict.fromkeys(("math.isInf", "math.isNaN", "math.isFinite"), "data holds finite numbers only"),
    **dict.fromkeys(
        ("math.bitAnd", "math.bitOr", "math.bitXor", "math.bitNot", "math.bitShiftLeft", "math.bitShiftRight"),
        "operations on bits are left out",
    ),
    **dict.fromkeys(("sets.contains", "sets.equivalent"), _SETS),
    "sets.intersects": "the sets extension is left out; write `a.exists(x, x in b)`",
    **dict.fromkeys(("base64.encode", "base64.decode"), _ENCODERS),
    **dict.fromkeys(("ip", "cidr", "isIP", "isCIDR", "ip.isCanonical"), _NETWORK),
    **dict.fromkeys(("containsIP", "containsCIDR", "masked", "prefixLength", "family", "isMask"), _NETWORK),
    **dict.fromkeys(("isUnspecified", "isLoopback", "isGlobalUnicast"), _NETWORK),
    **dict.fromkeys(("isLinkLocalMulticast", "isLinkLocalUnicast"), _NETWORK),
    **dict.fromkeys(
        ("url", "isURL", "getHost", "getHostname", "getPort", "getScheme", "getEscapedPath", "getQuery"), _URL
    ),
    **dict.fromkeys(("regex.replace", "regex.extract", "regex.extractAll", "find", "findAll"), _REGEX),
    **dict.fromkeys(("flatten", "sort", "distinct", "lists.range", "isSorted"), _LISTS),
    "slice": "the lists extension is left out; `text.substring(from, to)` cuts a text",
    "first": "the lists extension is left out; write `list[0]`",
    "last": "the lists extension is left out; write `list[size(list) - 1]`",
    "sum": "there is no sum; look at each element, as in `list.all(x, x <= limit)`",
    "max": "write `list.exists(x, x > limit)` about a list, `a > b ? a : b` for the larger of two",
    "min": "write `list.exists(x, x < limit)` about a list, `a < b ? a : b` for the smaller of two",
    **dict.fromkeys(("quantity", "isQuantity", "isLessThan", "isGreaterThan"), _QUANTITIES),
    **dict.fromkeys(("asInteger", "asApproximateFloat", "isInteger"), _QUANTITIES),
    **dict.fromkeys(
        ("semver", "isSemver", "major", "minor", "patch"), "versions are left out; compare texts or numbers"
    ),
}
"""Functions by full name (`optional.of`) or method name (`orValue`), and what to use instead.

For use where no function of that name is registered: a host may register one and then nothing is left out.
"""
