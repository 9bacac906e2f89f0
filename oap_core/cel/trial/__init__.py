"""Trying one expression on one document: what `oap cel` shows, and the evidence behind it."""

from oap_core.cel.trial.attempt import MomentError, Trial, attempt, declared, loaded

__all__ = ["MomentError", "Trial", "attempt", "declared", "loaded"]
