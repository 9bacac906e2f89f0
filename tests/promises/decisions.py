"""Promises of our own about deciding: one decision, the configuration, plugins and reloading."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee, Tested

GROUPS: Final[tuple[Group, ...]] = (
    Group(
        "decision",
        "What one decision promises",
        (
            Guarantee(
                "decision-as-naive",
                "On random rule sets and calls the engine decides, and names the rules, as a naive reading of the "
                "precedence does.",
                Tested(
                    (
                        "tests/core/policy/test_differential.py::test_a_mistaken_engine_is_caught",
                        "tests/core/policy/test_differential.py::test_indexed_equals_naive",
                    )
                ),
            ),
            Guarantee(
                "decision-order",
                "Neither the order of rules and files nor the names of policies and files matter.",
                Tested(
                    (
                        "tests/core/policy/test_ruleset.py::test_the_name_of_a_policy_never_matters",
                        "tests/core/policy/test_ruleset.py::test_the_order_of_rules_and_files_never_matters",
                    )
                ),
            ),
            Guarantee(
                "decision-views",
                "Of a rewritten call each view needs a grant, and a wall, an ask or a plan that matches either one "
                "holds.",
                Tested(
                    (
                        "tests/core/policy/test_judge.py::test_a_rewrite_launders_no_wall_ask_or_plan",
                        "tests/core/policy/test_judge.py::test_each_view_needs_a_grant",
                    )
                ),
            ),
            Guarantee(
                "decision-shadow",
                "A shadow rule decides nothing, and what it would have said is told.",
                Tested(("tests/core/policy/test_judge.py::test_shadow_rules_decide_nothing_and_are_told_apart",)),
            ),
            Guarantee(
                "decision-expiry",
                "Rules and exceptions end at their moment, which one place in the code compares.",
                Tested(
                    (
                        "tests/core/policy/test_judge.py::test_a_grant_ends_at_its_moment",
                        "tests/core/policy/test_judge.py::test_expiry_is_compared_in_one_place",
                        "tests/core/policy/test_waivers.py::test_an_exception_ends_at_its_moment",
                    )
                ),
            ),
            Guarantee(
                "decision-exceptions",
                "An exception lifts a named waivable rule that cleanly matched, in the view where both match, and "
                "never one that could not be judged.",
                Tested(
                    (
                        "tests/core/policy/test_waivers.py::test_an_exception_lifts_in_the_view_where_both_match",
                        "tests/core/policy/test_waivers.py::test_an_exception_lifts_the_rules_that_it_names_and_no_other",
                        "tests/core/policy/test_waivers.py::test_an_exception_never_lifts_what_could_not_be_judged",
                    )
                ),
            ),
            Guarantee(
                "decision-exact",
                "A call whose data cannot be represented exactly is denied, whatever grants it.",
                Tested(
                    (
                        "tests/core/policy/test_judge.py::test_what_cannot_be_represented_is_denied_even_under_a_grant_without_a_condition",
                    )
                ),
            ),
            Guarantee(
                "decision-catalog",
                "A tool that the catalog does not have, or has otherwise, matches no grant, and a wall by what only a "
                "review can tell holds for a tool that nobody has reviewed.",
                Tested(
                    (
                        "tests/core/policy/test_judge.py::test_a_tool_that_differs_from_the_catalog_matches_no_grant",
                        "tests/core/policy/test_judge.py::test_a_tool_that_the_catalog_does_not_have_matches_no_grant",
                        "tests/core/policy/test_judge.py::test_a_wall_by_what_only_a_review_can_tell_holds_for_a_tool_that_nobody_has_reviewed",
                    )
                ),
            ),
            Guarantee(
                "decision-tool-identity",
                "A call is judged by the source and the definition of its tool, and another source or a changed "
                "definition matches no grant of the reviewed one.",
                Tested(
                    (
                        "tests/core/policy/test_catalog.py::test_a_call_of_another_source_or_a_changed_tool_is_checked_as_what_it_is",
                    )
                ),
            ),
            Guarantee(
                "decision-reach",
                "A rule can deny by the consequence of a tool, which the reviewer says and no server, and which is "
                "unknown where nobody has said it.",
                Tested(("tests/core/policy/test_selection.py::test_a_call_is_checked_by_the_consequence_of_its_tool",)),
            ),
            Guarantee(
                "decision-paths",
                "A path outside of its root matches no grant, through parent folders or a neighbour with a longer "
                "name or, where the rule asks the disk, through a link.",
                Tested(
                    (
                        "tests/core/policy/test_roots.py::test_a_link_out_of_the_root_is_followed_where_the_rule_asks_the_disk",
                        "tests/core/policy/test_roots.py::test_a_path_outside_of_the_root_matches_no_grant",
                        "tests/core/policy/test_roots.py::test_what_is_no_path_matches_no_grant",
                    )
                ),
            ),
            Guarantee(
                "decision-revision",
                "The revision changes with everything that decides, and not with comments, spacing, order or who owns a file.",
                Tested(
                    (
                        "tests/core/policy/test_ruleset.py::test_the_configuration_that_decides_is_part_of_the_revision",
                        "tests/core/policy/test_ruleset.py::test_what_decides_changes_the_revision",
                        "tests/core/policy/test_ruleset.py::test_what_decides_nothing_leaves_the_revision",
                    )
                ),
            ),
            Guarantee(
                "decision-threads",
                "Threads that share a rule set decide as one does, and no names fill its memory.",
                Tested(
                    (
                        "tests/core/policy/test_ruleset.py::test_names_that_nobody_has_heard_of_do_not_fill_the_memory",
                        "tests/core/policy/test_ruleset.py::test_threads_decide_as_one_does",
                    )
                ),
            ),
            Guarantee(
                "decision-messages",
                "What fills a hole of a message is escaped and cut, a hole that fails is an ellipsis, and no text of "
                "a result reaches one.",
                Tested(
                    (
                        "tests/core/policy/test_message.py::test_a_hole_that_fails_is_an_ellipsis",
                        "tests/core/policy/test_message.py::test_no_text_of_a_result_reaches_a_message",
                        "tests/core/policy/test_message.py::test_what_fills_a_hole_is_cut",
                        "tests/core/policy/test_message.py::test_what_fills_a_hole_is_escaped",
                    )
                ),
            ),
        ),
    ),
    Group(
        "config",
        "The configuration",
        (
            Guarantee(
                "config-strict",
                "Every mistake in the configuration is told at once with its place, in either kind of file, and "
                "without a file everything works.",
                Tested(
                    (
                        "tests/core/policy/test_config.py::test_a_mistake_in_a_table_has_its_place",
                        "tests/core/policy/test_config.py::test_every_mistake_is_told_at_once_and_in_its_place",
                        "tests/core/policy/test_config.py::test_everything_that_it_can_say",
                        "tests/core/policy/test_config.py::test_without_a_file_it_works",
                        "tests/core/policy/test_project.py::test_everything_that_is_wrong_anywhere_is_told_at_once",
                        "tests/core/policy/test_project.py::test_without_a_configuration_the_folder_of_policies_is_in_force",
                    )
                ),
            ),
            Guarantee(
                "config-typed",
                "Attributes of subjects and sessions are declared with their types, and a condition that reads "
                "another one does not load.",
                Tested(
                    (
                        "tests/core/policy/test_project.py::test_declared_attributes_can_be_read",
                        "tests/core/policy/test_project.py::test_what_is_not_declared_or_of_another_type_does_not_load",
                    )
                ),
            ),
            Guarantee(
                "config-reserved",
                "A grant for a reserved tool in another policy is a failed load.",
                Tested(
                    ("tests/core/policy/test_project.py::test_a_grant_of_a_reserved_tool_elsewhere_is_a_failed_load",)
                ),
            ),
            Guarantee(
                "config-required",
                "A required policy that is missing is a failed load.",
                Tested(("tests/core/policy/test_project.py::test_a_required_policy_that_is_missing_is_a_failed_load",)),
            ),
            Guarantee(
                "config-observation",
                "A host observes for at most 30 days, critical walls and scans stop all the same, and afterwards "
                "everything is enforced.",
                Tested(
                    (
                        "tests/core/policy/test_config.py::test_an_observation_ends_soon_or_is_none",
                        "tests/core/policy/test_observing.py::test_afterwards_everything_is_enforced",
                        "tests/core/policy/test_observing.py::test_critical_walls_and_scans_stop_all_the_same",
                        "tests/core/policy/test_observing.py::test_while_the_host_observes_the_rest_is_recorded_and_stops_nothing",
                    )
                ),
            ),
        ),
    ),
    Group(
        "plugins",
        "Plugins",
        (
            Guarantee(
                "plugins-by-name",
                "A plugin is imported only where the configuration enables it by name, or where it is one of our own "
                "and nothing is said.",
                Tested(
                    (
                        "tests/core/policy/test_plugins.py::test_a_plugin_that_is_not_enabled_is_listed_and_never_imported",
                        "tests/core/policy/test_plugins.py::test_without_a_word_of_the_configuration_the_first_party_plugins_that_are_installed_are_enabled",
                    )
                ),
            ),
            Guarantee(
                "plugins-abort",
                "A plugin that is missing, broken or written for another interface, and two plugins with one effect, "
                "abort the start with one clear message.",
                Tested(
                    (
                        "tests/core/policy/test_plugins.py::test_a_broken_plugin_aborts_the_start_with_one_clear_message",
                        "tests/core/policy/test_plugins.py::test_an_enabled_plugin_that_is_missing_aborts_the_start",
                        "tests/core/policy/test_plugins.py::test_two_plugins_with_one_effect_abort_the_start",
                    )
                ),
            ),
            Guarantee(
                "plugins-no-grant",
                "An effect of kind grant that a plugin offers opens nothing until it stands in a policy file.",
                Tested(
                    (
                        "tests/core/policy/test_plugins.py::test_a_grant_that_a_plugin_offers_still_has_to_stand_in_a_policy",
                    )
                ),
            ),
        ),
    ),
    Group(
        "reload",
        "Reloading",
        (
            Guarantee(
                "reload-atomic",
                "A set with a fault anywhere leaves the last good one in force, and a decision keeps to one set.",
                Tested(
                    (
                        "tests/core/policy/test_store.py::test_a_decision_keeps_to_one_set_while_others_are_put_in_force",
                        "tests/core/policy/test_store.py::test_a_set_with_a_fault_anywhere_leaves_the_last_good_one_in_force",
                    )
                ),
            ),
            Guarantee(
                "reload-visible",
                "A reload that failed, or in which a policy has vanished, stays visible from its first moment until "
                "one succeeds.",
                Tested(
                    (
                        "tests/core/policy/test_store.py::test_a_policy_that_has_vanished_has_to_be_accepted",
                        "tests/core/policy/test_store.py::test_stale_since_is_the_first_failure_and_goes_with_the_next_success",
                    )
                ),
            ),
        ),
    ),
    Group(
        "files",
        "Policy files, and the round of check, test and explain",
        (
            Guarantee(
                "files-malformed",
                "Files made from good ones by a mistake are refused with the code, the line and the column of "
                "the mistake, and none loads.",
                Tested(
                    (
                        "tests/core/policy/malformed/test_malformed.py::test_malformed",
                        "tests/core/policy/malformed/test_malformed.py::test_there_are_many_and_all_differ",
                    )
                ),
            ),
            Guarantee(
                "files-slips",
                "A slip in the name of a tool, an argument, a constant or a variable never makes a decision "
                "looser, also without a catalog.",
                Tested(("tests/policies/test_typos.py::test_no_slip_loosens",)),
            ),
            Guarantee(
                "files-mutants",
                "The tests of the example policies notice nine of ten changes of their meaning, and the others "
                "are listed.",
                Tested(
                    (
                        "tests/policies/test_mutants.py::test_nine_of_ten_are_noticed",
                        "tests/policies/test_mutants.py::test_what_survives_is_what_is_listed",
                    )
                ),
            ),
            Guarantee(
                "files-examples",
                "The example policies have no findings, and their tests pass and see nearly every outcome of "
                "every rule.",
                Tested(
                    (
                        "tests/policies/test_examples.py::test_every_case_passes_and_the_outcomes_are_covered",
                        "tests/policies/test_examples.py::test_nothing_is_found_in_them",
                    )
                ),
            ),
            Guarantee(
                "files-editor",
                "An editor with a YAML language server marks unknown keys and completes the settings of plugins.",
                Tested(
                    (
                        "tests/editors/test_yaml_language_server.py::test_an_unknown_key_is_marked_where_it_stands",
                        "tests/editors/test_yaml_language_server.py::test_the_keys_of_another_plugin_are_completed",
                    )
                ),
            ),
            Guarantee(
                "files-tests-say-why",
                "A test that expects what does not come out, errs, runs nothing or is a gap no more fails with a "
                "clear word.",
                Tested(("tests/core/policy/cases/test_endings.py::test_a_case_ends_as_described",)),
            ),
            Guarantee(
                "files-shell-subset",
                "Whatever a shell starts for a command line is among the programs that the functions about it "
                "report, or they refuse to say.",
                Tested(("plugins/oap-shell/tests/test_real_shells.py::test_what_runs_is_reported",)),
            ),
        ),
    ),
)
