"""The files that the examples of OAP codes are made of."""

from __future__ import annotations

from textwrap import dedent
from typing import Final

from docs.generate.diagnostics.project import File

_POLICY: Final = """\
apiVersion: oap/v1
kind: Policy
metadata: {name: payments, owner: payments-risk}
"""
_EXCEPTIONS: Final = """\
apiVersion: oap/v1
kind: Exceptions
metadata: {name: payments-2026, owner: security-office}
"""
_CATALOG: Final = """\
apiVersion: oap/v1
kind: Catalog
metadata: {name: tools, owner: payments-risk}
"""
_TESTS: Final = """\
apiVersion: oap/v1
kind: PolicyTest
policies: [payments]
"""


def policy(body: str) -> File:
    """A policy with this behind its first lines."""
    return File("policies/payments.yaml", _POLICY + dedent(body))


def exceptions(body: str) -> File:
    """Exceptions with this behind their first lines."""
    return File("policies/exceptions.yaml", _EXCEPTIONS + dedent(body))


def catalog(body: str) -> File:
    """A catalog with this behind its first lines."""
    return File("policies/catalog.yaml", _CATALOG + dedent(body))


def tests(body: str) -> File:
    """Tests with this behind their first lines."""
    return File("policies/payments_test.yaml", _TESTS + dedent(body))


def config(body: str) -> File:
    """A configuration."""
    return File("oap.yaml", dedent(body))


REFUND: Final = policy("""\
    rules:
      - id: refund
        match: {tools: [payments/refund]}
        effect: allow
    """)
"""A policy that is right."""
TOOLS: Final = catalog("""\
    tools:
      - id: payments/refund
        reach: write
        input_schema:
          type: object
          required: [amount]
          properties: {amount: {type: integer}}
    """)
"""A catalog that is right."""
