"""What can be told about an expression before it runs: types, and reads of fields that may be absent."""

from oap_core.cel.check.checker import Checked, check

__all__ = ["Checked", "check"]
