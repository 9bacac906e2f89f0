"""Compiling a resolved tree into closures over plain dicts: no interpreter, no generated source, no shared state."""

from oap_core.cel.compile.build import Compiled, compile_tree

__all__ = ["Compiled", "compile_tree"]
