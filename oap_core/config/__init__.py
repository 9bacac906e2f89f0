"""The configuration of a host: `oap.yaml`, or `[tool.oap]` in `pyproject.toml`, or nothing at all."""

from oap_core.config.load import Config, load_config
from oap_core.config.place import find_config

__all__ = ["Config", "find_config", "load_config"]
