"""Settings that hold for every test."""

from __future__ import annotations

from hypothesis import settings

# A slow machine is no failure, so no example has a deadline; a failing one prints what repeats it.
settings.register_profile("oap", deadline=None, print_blob=True)
settings.load_profile("oap")
