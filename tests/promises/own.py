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
    Group(
        "cel",
        "The engine for conditions",
        (
            Guarantee(
                "cel-no-wrong-value",
                "Of all test vectors of the specification, none gives a value or a type that the specification does "
                "not have, and none raises.",
                Tested(
                    (
                        "tests/core/cel/conformance/test_conformance.py::test_no_vector_has_a_wrong_value",
                        "tests/core/cel/conformance/test_conformance.py::test_no_vector_raises",
                        "tests/core/cel/conformance/test_conformance.py::test_every_vector_that_does_not_pass_is_listed",
                        "tests/core/cel/conformance/test_conformance.py::test_listed_vectors_are_rejected_or_errors",
                    )
                ),
            ),
            Guarantee(
                "cel-as-other-engines",
                "On generated conditions the outcome, errors included, equals that of two other engines, but for "
                "listed reasons.",
                Tested(
                    (
                        "tests/core/cel/differential/test_typed.py::test_equals_cel_expr_python_without_exception",
                        "tests/core/cel/differential/test_typed.py::test_equals_cel_python_or_it_raised_for_a_listed_reason",
                        "tests/core/cel/differential/test_sensitivity.py::test_a_mistaken_engine_is_caught",
                    )
                ),
            ),
            Guarantee(
                "cel-three-outcomes",
                "A condition matches, does not match, or cannot be told; what cannot be told is never taken for a yes "
                "or a no.",
                Tested(
                    (
                        "tests/core/cel/test_program.py::test_three_outcomes",
                        "tests/core/cel/test_program.py::test_an_outcome_has_no_truth_value",
                        "tests/core/cel/test_program.py::test_a_condition_that_is_no_boolean_is_an_error_and_never_a_match",
                    )
                ),
            ),
            Guarantee(
                "cel-exact-data",
                "Data is judged exactly as it came, or not at all: nothing is rounded, cut or changed afterwards.",
                Tested(
                    (
                        "tests/core/cel/test_activation.py::test_json_is_kept_exactly",
                        "tests/core/cel/test_activation.py::test_what_cannot_be_represented_makes_every_evaluation_an_error",
                        "tests/core/cel/test_activation.py::test_a_later_change_of_the_original_is_not_seen",
                    )
                ),
            ),
            Guarantee(
                "cel-no-data-in-errors",
                "No text about an error holds a value of the call, nor the words of somebody else's exception.",
                Tested(
                    (
                        "tests/core/cel/test_hostile.py::test_no_text_about_an_error_holds_a_value",
                        "tests/core/cel/test_program.py::test_a_function_that_breaks_its_promise_is_an_error_without_its_text",
                    )
                ),
            ),
            Guarantee(
                "cel-bounded",
                "Loading and evaluating end within bounds of time and memory, whatever the source and the data.",
                Tested(
                    (
                        "tests/core/cel/test_bounded.py::test_expensive_expressions_are_bounded",
                        "tests/core/cel/test_parse_hostile.py::test_a_source_full_of_one_thing_ends",
                        "tests/core/cel/test_hostile.py::test_loops_in_loops_end_with_their_budget",
                    )
                ),
            ),
            Guarantee(
                "cel-no-exception",
                "Nothing that the data or the host's stack holds makes a decision raise, and no source makes a load "
                "raise anything but its diagnostics.",
                Tested(
                    (
                        "tests/core/cel/test_stack.py::test_an_outcome_is_never_turned_around",
                        "tests/core/cel/test_stack.py::test_a_diagnosis_is_the_right_one_or_none",
                        "tests/core/cel/test_parse_hostile.py::test_any_text_ends",
                        "tests/core/cel/test_hostile.py::test_data_that_cannot_be_represented_is_an_error",
                    )
                ),
            ),
            Guarantee(
                "cel-all-mistakes",
                "An author sees every mistake of an expression at once, each with its place, and a name that is "
                "nearly right with the right one.",
                Tested(("tests/core/cel/test_program.py::test_load_reports_every_mistake_at_once",)),
            ),
            Guarantee(
                "cel-presence",
                "A condition that loads never fails because a field that is declared optional is absent.",
                Tested(("tests/core/cel/test_presence.py::test_what_is_accepted_never_meets_an_absent_field",)),
            ),
            Guarantee(
                "cel-index",
                "A rule that the index leaves out for a tool would not have matched, and would not have failed.",
                Tested(
                    (
                        "tests/core/cel/test_indexed.py::test_indexed_equals_full_scan",
                        "tests/core/cel/test_infer.py::test_outside_the_inferred_tools_a_condition_is_false",
                    )
                ),
            ),
            Guarantee(
                "cel-threads",
                "Programs and data shared by many threads give what they give in one.",
                Tested(("tests/core/cel/test_threads.py::test_eight_threads_see_what_one_sees",)),
            ),
            Guarantee(
                "cel-host-functions",
                "A host function answers what every reader of its argument would understand, or says that it cannot "
                "tell.",
                Tested(
                    (
                        "tests/core/cel/host/test_cases.py::test_a_call_gives_the_value",
                        "tests/core/cel/host/test_cases.py::test_a_call_fails_where_it_cannot_tell",
                    )
                ),
            ),
            Guarantee(
                "cel-one-look",
                "What a function sees of the world is asked once a call, is the same for every rule, and is kept for "
                "the record.",
                Tested(
                    (
                        "tests/core/cel/test_program.py::test_a_look_at_the_world_is_taken_once_a_call_and_kept_for_the_record",
                        "tests/core/cel/test_program.py::test_a_failed_look_at_the_world_fails_the_same_way_for_every_rule",
                    )
                ),
            ),
        ),
    ),
    Group(
        "combine",
        "One key, no wall, every gate open",
        (
            Guarantee(
                "combine-properties",
                "For one frozen state: order never matters, a rule that is no grant never loosens, a grant never "
                "tightens, a shadow rule changes nothing, and an error is never looser than the stricter of yes and "
                "no.",
                Tested(
                    (
                        "tests/core/test_combine_properties.py::test_every_state_of_a_call_has_the_property",
                        "tests/core/test_combine_properties.py::test_a_wrong_combination_is_caught",
                    )
                ),
            ),
            Guarantee(
                "combine-key",
                "A call that no grant matches does not run, and no gate is a grant.",
                Tested(
                    (
                        "tests/core/test_combine.py::test_a_call_that_nothing_matches_is_denied_by_the_default",
                        "tests/core/test_combine.py::test_a_satisfied_wall_or_gate_neither_holds_nor_grants",
                    )
                ),
            ),
            Guarantee(
                "combine-unjudged",
                "A rule that cannot be evaluated counts against the call.",
                Tested(
                    (
                        "tests/core/test_combine.py::test_a_grant_that_is_not_satisfied_does_not_match",
                        "tests/core/test_combine.py::test_a_wall_or_gate_that_is_not_satisfied_holds",
                    )
                ),
            ),
            Guarantee(
                "combine-two-views",
                "Of a rewritten call, the original and the effective form each need a grant, and a wall, an ask or a "
                "plan holds in either.",
                Tested(
                    (
                        "tests/core/test_combine.py::test_each_view_needs_a_grant",
                        "tests/core/test_combine.py::test_a_wall_an_ask_or_a_plan_holds_in_either_view",
                    )
                ),
            ),
            Guarantee(
                "combine-exceptions",
                "An exception lifts the one waivable rule that it names, where that rule cleanly matched, and in that "
                "view alone.",
                Tested(
                    (
                        "tests/core/test_combine.py::test_an_exception_lifts_a_waivable_rule_that_cleanly_matched",
                        "tests/core/test_combine.py::test_an_exception_never_lifts_an_unjudged_rule",
                        "tests/core/test_combine.py::test_an_exception_lifts_only_in_the_view_where_both_match",
                    )
                ),
            ),
            Guarantee(
                "combine-default",
                "The default is to deny; where a host chose to ask, that yes is the only one that replaces a missing "
                "grant.",
                Tested(
                    (
                        "tests/core/test_combine.py::test_the_default_ask_asks_where_no_grant_matches",
                        "tests/core/test_combine.py::test_a_yes_to_another_gate_does_not_replace_a_missing_grant",
                        "tests/core/test_combine.py::test_a_yes_to_the_default_satisfies_no_other_gate_and_no_wall",
                    )
                ),
            ),
            Guarantee(
                "combine-results",
                "A result is withheld by a wall or a scan that refuses, and by one or a transform that cannot be "
                "judged; an unjudged label is added.",
                Tested(
                    (
                        "tests/core/test_combine.py::test_what_withholds_a_result",
                        "tests/core/test_combine.py::test_an_unjudged_label_is_added_and_a_refused_one_is_not",
                    )
                ),
            ),
        ),
    ),
)
