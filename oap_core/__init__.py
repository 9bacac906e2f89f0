"""The core of OAP: what every tool call of an agent passes before anything happens."""

__version__ = "0.1.0"
