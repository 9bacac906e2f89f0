"""Promises of our own, which no requirement states: each id starts with the id of its group."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee, Tested

GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "design",
        "The shape of the code",
        (
            Guarantee(
                "design-layers",
                "A higher layer of the core may import a lower one, never the other way, and one module alone knows "
                "each foreign parser.",
                Tested(
                    (
                        "tests/house/test_imports.py::test_contracts_hold",
                        "tests/house/test_imports.py::test_a_forbidden_import_breaks_its_contract",
                    )
                ),
            ),
            Guarantee(
                "design-light-import",
                "Importing oap_core loads no parser, no validator, no command line and no network client.",
                Tested(("tests/house/test_imports.py::test_importing_the_core_loads_nothing_heavy",)),
            ),
            Guarantee(
                "design-one-word",
                "A word that the glossary replaces by another appears in no code, no policy and no page.",
                Tested(
                    (
                        "tests/house/test_words.py::test_replaced_words_do_not_appear",
                        "tests/house/test_words.py::test_a_use_is_found",
                    )
                ),
            ),
            Guarantee(
                "design-true-pages",
                "A page that is generated from the code equals what the code gives today.",
                Tested(
                    (
                        "tests/docs/test_generated_pages.py::test_committed_pages_are_up_to_date",
                        "tests/docs/test_generated_pages.py::test_a_missing_and_a_changed_page_are_stale_until_written",
                    )
                ),
            ),
            Guarantee(
                "design-true-promises",
                "A promise that is said to be tested names tests that exist and name it in turn.",
                Tested(
                    (
                        "tests/core/test_guarantees.py::test_list_and_tests_name_each_other",
                        "tests/core/test_guarantees.py::test_a_disagreement_is_found",
                        "tests/core/test_guarantees.py::test_a_marker_with_an_unknown_id_is_found",
                    )
                ),
            ),
        ),
    ),
)
