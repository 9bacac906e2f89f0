"""The codes about the text of an expression, CEL1xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.entry import Entry
from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import LITERAL_ELEMENTS, NESTING, SOURCE_BYTES

_MANY: Final = ", ".join(f'"{number}@example.org"' for number in range(LITERAL_ELEMENTS + 1))

ENTRIES: Final = (
    Entry(
        LoadCode.SYNTAX,
        "The text is not an expression: something is missing, or stands where it means nothing.",
        "args.amount = 180",
        "args.amount == 180",
        "Many mistakes here are habits from other languages. The help names what CEL writes instead. Behind such a place "
        "nothing can be understood, so further mistakes may show once it is repaired.",
    ),
    Entry(
        LoadCode.LITERAL,
        "A number or a text is malformed: an unknown escape, a missing quote, a number out of range.",
        'args.recipient.matches("^\\d+@")',
        'args.recipient.matches(r"^\\d+@")',
        "An unknown escape is most often a regular expression or a Windows path that lost a backslash. Taking the "
        "character as it is would change what the condition means. A raw string keeps every backslash.",
    ),
    Entry(
        LoadCode.UNSUPPORTED,
        "This is a part of CEL, or of one of its extensions, that is left out here.",
        "args.items.map(i, i.price).sum() <= 200",
        "args.items.all(i, i.price <= 200)",
        "What is left out either cannot be bounded in advance or has more than one meaning among the engines that are in "
        "use. It is refused when the policy is loaded, so that no rule does nothing unnoticed.",
    ),
    Entry(
        LoadCode.RESERVED,
        "The specification keeps this word free, so it can be the name of no variable.",
        "args.items.exists(package, package.price > 100)",
        "args.items.exists(item, item.price > 100)",
        "Words such as `if`, `for`, `let` and `package` may get a meaning in a later version of CEL. As the name of a "
        "field they are fine: `args.package`.",
    ),
    Entry(
        LoadCode.TOO_LONG,
        f"The expression has more than {SOURCE_BYTES:,} bytes.",
        " || ".join(f'args.recipient == "{number}@example.org"' for number in range(300)),
        "args.recipient in constants.customers",
        "Nobody reviews an expression of that length, and parsing takes time in proportion to it. Lists of values belong "
        "into the `constants` of a policy, where they are looked up at once however many there are.",
    ),
    Entry(
        LoadCode.TOO_DEEP,
        f"The expression nests more than {NESTING} levels deep. A chain of `+`, of `.field` or of `? :` counts one level "
        "a link.",
        "(" * (NESTING + 1) + "args.amount <= 200" + ")" * (NESTING + 1),
        "args.amount <= 200",
        "Depth is what makes a reader of a text run out of memory. A condition that a person wrote stays far below.",
    ),
    Entry(
        LoadCode.TOO_MANY_ELEMENTS,
        f"A list or a map in the expression has more than {LITERAL_ELEMENTS} elements.",
        f"args.recipient in [{_MANY}]",
        "args.recipient in constants.customers",
        "Long lists change more often than the condition around them. In the `constants` of a policy they can be reviewed "
        "by themselves, and they load much faster.",
    ),
    Entry(
        LoadCode.MACRO,
        "A macro has the wrong arguments: `has` takes a selection, `all`, `exists` and their kin a name and an expression.",
        "args.items.all(i.price <= 200)",
        "args.items.all(i, i.price <= 200)",
        "A macro gives each element a name, and without the name the rest means nothing.",
    ),
    Entry(
        LoadCode.CHARACTER,
        "A character stands here that no expression uses outside of a text.",
        "args.currency == \N{LEFT DOUBLE QUOTATION MARK}EUR\N{RIGHT DOUBLE QUOTATION MARK}",
        'args.currency == "EUR"',
        "Typographic quotes and invisible characters come along when text is copied from a document. Some of them look "
        "like another character, or change the order in which a line is shown, so that a reviewer reads something else "
        "than what is evaluated.",
    ),
    Entry(
        LoadCode.PARSER,
        "The parser failed, or gave something that this version does not know. The condition may be right.",
        None,
        None,
        "The grammar comes with the package `cel-python`, and another version of it than those that this one is made for "
        "may read a condition in another way. What nobody is sure to understand is refused. Install a version in the "
        "range that this package asks for; if it is in that range, this is a fault of ours that we want to hear of.",
    ),
)
