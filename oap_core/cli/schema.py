"""`oap schema`: write the schemas that editors check and complete files with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from oap_core.cli.files import FileError, shown_name
from oap_core.cli.formats import Findings, write
from oap_core.cli.terminal import err, out
from oap_core.cli.written import relative, write_file
from oap_core.clock import SystemClock
from oap_core.config import Config, find_config, load_config
from oap_core.config.model import ConfigModel
from oap_core.config.place import NAMES
from oap_core.plugins import Plugins
from oap_core.policy.documents import KINDS
from oap_core.policy.files import shown
from oap_core.policy.report import failed, ordered
from oap_core.policy.schema import DIALECT, FilesSchema, files_schema, kind_schema, model_schema
from oap_core.project import set_up

INVALID: Final = 3
"""Exit code where the configuration or a plugin is unusable."""
CONFIG: Final = "Config"
"""The kind of the configuration file, which says no kind itself."""

_FOLDER: Final = ".oap"
_POLICY: Final = "policy.schema.json"
_CONFIG: Final = "config.schema.json"

_HELP: Final = """\
Write the JSON Schemas that editors check and complete files with.

PATH is a configuration, a folder or a policy file; without it, the project of the current folder counts. There is one
schema for policies, exceptions, tests and catalogs, and one for `oap.yaml`. They know the effects of the plugins that
the project enables, and the settings of each: write them anew when that changes. They are generated: commit them or
ignore them. An editor with a YAML language server finds the schema by the first line of a file, which is shown for each.

Policies are not read, so that their mistakes keep nobody from the schema that shows them.

\b
Examples:
  oap schema
  oap schema --output build/schemas
  oap schema --kind Policy > policy.schema.json

\b
Exit codes:
  0  the schemas are written, or printed
  1  crash, or nobody reads the output
  2  wrong usage, or a file that cannot be written
  3  the configuration or a plugin cannot be used
"""


@click.command(help=_HELP, short_help="Write the schemas that editors use.")
@click.argument("path", required=False)
@click.option("-o", "--output", metavar="DIR", help=f"Folder to write into; `{_FOLDER}` in the project by default.")
@click.option("-k", "--kind", type=click.Choice([*KINDS, CONFIG]), help="Print the schema of one kind of file instead.")
def schema(path: str | None, output: str | None, kind: str | None) -> None:
    """Write the two schemas, or print one."""
    if kind is not None and output is not None:
        raise click.UsageError("--kind prints a schema and --output writes them all; take one of the two")
    config = _config(path)
    plugins = _plugins(config)
    if kind is not None:
        found = _of_kind(kind, plugins)
        _tell_undescribed(found, plugins)
        out(_written(found.schema))
        return
    found = files_schema(plugins.effects)
    _tell_undescribed(found, plugins)
    folder = config.base / _FOLDER if output is None else Path(output)
    write_file(folder / _POLICY, _written(found.schema) + "\n")
    write_file(folder / _CONFIG, _written(_config_schema()) + "\n")
    out("\n".join(_told(config, plugins, folder)))


def _config(path: str | None) -> Config:
    """The configuration that a path stands for. Raises `FileError` where the path is not there."""
    place = Path() if path is None else Path(path)
    if not place.exists():
        raise FileError(f"error  {shown_name(path or '')} is not there")
    now = SystemClock().now()
    if place.is_file() and (place.name in NAMES or place.name == "pyproject.toml"):
        return load_config(place, place.parent, now)
    folder = place.parent if place.is_file() else place
    return load_config(find_config(folder), folder, now)


def _plugins(config: Config) -> Plugins:
    """The plugins of the configuration; ends the command where it or one of them cannot be used."""
    plugins, _, problems = set_up(config)
    diagnostics = ordered([*config.diagnostics, *problems])
    if failed(diagnostics):
        sources = {document.file or "": document.text for document in config.documents}
        summary = "no schema is written, since the configuration cannot be used"
        err(write(Findings(diagnostics, sources, summary), "text", colour=False))
        raise SystemExit(INVALID)
    return plugins


def _of_kind(kind: str, plugins: Plugins) -> FilesSchema:
    return FilesSchema(_config_schema()) if kind == CONFIG else kind_schema(kind, plugins.effects)


def _config_schema() -> dict[str, Any]:
    return {"$schema": DIALECT, "title": "Configuration of OAP", **model_schema(ConfigModel)}


def _written(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=2, ensure_ascii=False)


def _tell_undescribed(found: FilesSchema, plugins: Plugins) -> None:
    for name in found.undescribed:
        plugin = plugins.effects[name].plugin
        err(
            f"warning  JSON Schema has no words for the settings of `{name}` from `{plugin}`; nothing in them is checked"
        )


def _told(config: Config, plugins: Plugins, folder: Path) -> Iterator[str]:
    """What was written, and the line that each file begins with to be found by editors."""
    effects = ", ".join(sorted(plugins.effects))
    yield f"wrote {shown_name(shown(folder / _POLICY))} (effects: {effects})"
    yield f"wrote {shown_name(shown(folder / _CONFIG))}"
    for path, _ in config.policies:
        yield from _first_line(folder / _POLICY, path, "policies, exceptions and tests")
    for path, _ in config.catalog:
        yield from _first_line(folder / _POLICY, path, "catalogs")
    if config.file is None or config.file.suffix != ".toml":
        file = config.base / NAMES[0] if config.file is None else config.file
        yield from _first_line(folder / _CONFIG, file, "")
    yield f"{shown_name(shown(folder))} is generated: commit it or ignore it, and write it anew when the plugins change"


def _first_line(schema_file: Path, path: Path, kinds: str) -> Iterator[str]:
    """What a file, or each file of these kinds in a folder, begins with."""
    alone = path.suffix.lower() in (".yaml", ".yml")
    yield f"first line of {'' if alone else f'{kinds} in '}{shown_name(shown(path))}:"
    yield f"  # yaml-language-server: $schema={relative(schema_file, path.parent if alone else path)}"
