"""What other languages, and other programs that have CEL inside, call things; and what is written for them here.

A form has the author's own text in its braces: `{0}` is the receiver, or the first argument of a plain function,
`{1}` the next argument, and so on.
"""

from typing import Final

VALUES: Final = {
    **dict.fromkeys(("True", "TRUE"), True),
    **dict.fromkeys(("False", "FALSE"), False),
    **dict.fromkeys(("None", "NULL", "Null", "nil", "undefined"), None),
}
"""Names that other languages have for the values that CEL writes `true`, `false` and `null`."""

HOSTS: Final = frozenset(
    {
        *("self", "oldSelf", "object", "oldObject", "request", "params", "variables", "authorizer", "namespaceObject"),
        *("resource", "principal", "context", "input", "data", "event", "ctx", "this", "it"),
    }
)
"""Variables that other programs with CEL or with policies offer."""

PRESENCE: Final = frozenset({"defined", "isset", "isSet", "exists", "is_set", "is_defined", "isDefined", "present"})
"""Functions that ask in other languages whether there is a value."""

DEFAULTS: Final = frozenset(
    {"orValue", "or", "hasValue", "optional.of", "optional.ofNonZeroValue", "coalesce", "ifnull", "nvl", "default"}
)
"""Functions that say in other languages what holds where there is no value."""

MEMBERSHIP: Final = frozenset(
    {"has", "includes", "hasOwnProperty", "containsKey", "hasKey", "has_key", "contains_key", "include", "contain"}
)
"""Methods that ask in other languages whether something is among elements or keys."""

GENERATORS: Final = {
    **dict.fromkeys(("any", "some", "exist", "anyMatch", "find", "findFirst"), "exists"),
    **dict.fromkeys(("every", "forEach", "foreach", "forall", "allMatch", "each"), "all"),
    **dict.fromkeys(("select", "where", "reject"), "filter"),
    **dict.fromkeys(("collect", "mapValues"), "map"),
    "existsone": "exists_one",
    "one": "exists_one",
}
"""Loops of other languages, and the macros that stand for them."""

PARTS_OF_A_MOMENT: Final = {
    **dict.fromkeys(("year", "getyear", "years"), "getFullYear()"),
    **dict.fromkeys(("month", "months"), "getMonth() + 1"),
    **dict.fromkeys(("day", "days", "date", "dayofmonth"), "getDate()"),
    **dict.fromkeys(("hour", "hours", "gethour"), "getHours()"),
    **dict.fromkeys(("minute", "minutes", "getminute"), "getMinutes()"),
    **dict.fromkeys(("second", "seconds", "getsecond"), "getSeconds()"),
    **dict.fromkeys(("weekday", "dayofweek", "isoweekday", "getday", "getweekday"), "getDayOfWeek()"),
    "dayofyear": "getDayOfYear()",
}
"""Parts of a moment by their names in small letters, and the methods that read them."""

FUNCTIONS: Final = {
    **dict.fromkeys(("len", "length", "count", "strlen", "sizeof", "Length", "Size"), "size({0})"),
    **dict.fromkeys(("isEmpty", "empty", "is_empty", "isBlank"), "size({0}) == 0"),
    **dict.fromkeys(("isNotEmpty", "notEmpty", "nonEmpty"), "size({0}) > 0"),
    **dict.fromkeys(("regex", "match", "search", "fullmatch", "test", "regexMatch", "rlike"), "{0}.matches({1})"),
    **dict.fromkeys(("strip", "Trim", "lstrip", "rstrip", "trimSpace"), "{0}.trim()"),
    **dict.fromkeys(("lower", "toLowerCase", "toLower", "downcase", "casefold", "lcase"), "{0}.lowerAscii()"),
    **dict.fromkeys(("upper", "toUpperCase", "toUpper", "upcase", "ucase"), "{0}.upperAscii()"),
    **dict.fromkeys(("substr", "slice"), "{0}.substring({1}, {2})"),
    **dict.fromkeys(("str", "toString", "String", "to_s", "text"), "string({0})"),
    **dict.fromkeys(("float", "Number", "toDouble", "parseFloat", "number", "decimal", "Decimal"), "double({0})"),
    **dict.fromkeys(("integer", "parseInt", "toInt", "Int", "floor", "trunc", "round", "long"), "int({0})"),
    **dict.fromkeys(("boolean", "Boolean", "toBool", "Bool"), "bool({0})"),
    **dict.fromkeys(("date", "datetime", "Date", "parseDate", "toDate", "time", "to_timestamp"), "timestamp({0})"),
    **dict.fromkeys(("timedelta", "interval", "toDuration"), "duration({0})"),
    **dict.fromkeys(("equals", "eq", "Equals", "equal", "isEqual"), "{0} == {1}"),
    **dict.fromkeys(("hasPrefix", "beginsWith"), "{0}.startsWith({1})"),
    "hasSuffix": "{0}.endsWith({1})",
    **dict.fromkeys(("notEquals", "ne", "neq"), "{0} != {1}"),
    **dict.fromkeys(("equalsIgnoreCase", "iequals"), "{0}.lowerAscii() == {1}.lowerAscii()"),
    "gt": "{0} > {1}",
    **dict.fromkeys(("gte", "ge"), "{0} >= {1}"),
    "lt": "{0} < {1}",
    **dict.fromkeys(("lte", "le"), "{0} <= {1}"),
    **dict.fromkeys(("between", "inRange"), "{1} <= {0} && {0} <= {2}"),
    **dict.fromkeys(("isinstance", "instanceof", "is_a"), "type({0}) == {1}"),
    **dict.fromkeys(("typeof", "typeOf", "getType"), "type({0})"),
    "abs": "({0} < 0 ? -{0} : {0})",
    "keys": "{0}.exists(key, ...)",
    **dict.fromkeys(("values", "items", "entries"), "{0}.exists(key, {0}[key] ...)"),
    **dict.fromkeys(("concat", "append"), "{0} + {1}"),
    **dict.fromkeys(("at", "elementAt", "nth", "getItem"), "{0}[{1}]"),
    **dict.fromkeys(("coalesce", "ifnull", "nvl", "default"), "has({0}) ? {0} : {1}"),
    **dict.fromkeys(("iif", "ifelse", "cond", "choose"), "{0} ? {1} : {2}"),
    "not": "!{0}",
    **dict.fromkeys(("sprintf", "printf", "Format"), "{0}.format([{1}])"),
    **dict.fromkeys(("hostname", "getHostname", "urlHost", "parseUrl"), "url_host({0})"),
    **dict.fromkeys(("inCidr", "ipInRange", "in_cidr"), "ip_in({0}, {1})"),
    **dict.fromkeys(("cidrContains", "cidr_contains", "cidrmatch"), "ip_in({1}, {0})"),
    **dict.fromkeys(("fnmatch", "globMatch", "glob_match", "minimatch"), "glob({0}, {1})"),
    "and": "{0} && {1}",
    "host": "url_host({0})",
    "scheme": "url_scheme({0})",
    "port": "url_port({0})",
    **dict.fromkeys(("toISOString", "isoformat"), "string({0})"),
}
"""Functions and methods that other languages have, and the forms that CEL writes for them."""

IN_NAMESPACES: Final = {
    **dict.fromkeys(("re.match", "re.search", "re.fullmatch", "regex.match", "regexp.match"), "{1}.matches({0})"),
    **dict.fromkeys(("strings.HasPrefix", "strings.hasPrefix"), "{0}.startsWith({1})"),
    **dict.fromkeys(("strings.HasSuffix", "strings.hasSuffix"), "{0}.endsWith({1})"),
    **dict.fromkeys(("strings.Contains", "strings.contains"), "{0}.contains({1})"),
    "math.max": "({0} > {1} ? {0} : {1})",
    "math.min": "({0} < {1} ? {0} : {1})",
    "Math.abs": "({0} < 0 ? -{0} : {0})",
    **dict.fromkeys(("Math.floor", "Math.round", "Math.trunc"), "int({0})"),
    **dict.fromkeys(("Date.now", "datetime.now", "datetime.utcnow", "time.time", "time.now", "time.Now"), "now"),
}
"""The same for functions in a namespace, by their full names."""
