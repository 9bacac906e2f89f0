"""Runs `oap` as `python -m oap_core.cli`, for where the command itself is not on the path."""

from oap_core.cli import main

main()
