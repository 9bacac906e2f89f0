"""The page of the configuration, from its model."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel

from docs.generate import models
from oap_core.config.load import FIRST_POLICIES, LONGEST_OBSERVATION
from oap_core.config.model import AttributeModel, AttributesModel, ConfigModel, PathsModel, ReservedModel
from oap_core.config.place import NAMES

HEAD: Final = f"""\
# Configuration

Generated from the model in `oap_core/config` by `poe docs`; edit that, not this page.

The configuration is the file `{NAMES[0]}` (or `{NAMES[1]}`), or the table `[tool.oap]` of a `pyproject.toml`. Commands
take the nearest one in the folder that they are about or above it, up to the folder that holds `.git`, or where there
is no repository up to the current folder. Paths in it are relative to its own folder. Without a configuration, policies
are in `{FIRST_POLICIES}`, the plugins of OAP that are installed are enabled, and what no rule grants is denied.
[Policies](../guide/policies.md#configuration) shows each key at work.
"""

TAIL: Final = f"""\
## What it can never say

There is no default `allow`. `observe_until` lies at most {LONGEST_OBSERVATION.days} days ahead and then ends by itself;
until then critical walls, scans and rules that change what is seen are enforced all the same. A key that is not in
these tables is [an error](diagnostics/OAP201.md), as in every other file.
"""

TITLES: Final[dict[type[BaseModel], str]] = {
    ConfigModel: "The file",
    AttributesModel: "Attributes",
    AttributeModel: "Attribute",
    ReservedModel: "Reservation",
    PathsModel: "Paths",
}
"""Headings of the models, in the order of the page."""


def page() -> str:
    """Return the whole page."""
    sections = [line for model in TITLES for line in models.section(model, TITLES)]
    return "\n".join([HEAD, "## Keys\n", *sections, TAIL])
