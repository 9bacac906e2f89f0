"""Policies: from files that a security team writes to a set of rules that decides about calls."""
