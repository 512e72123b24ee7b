"""Unikat: the rules as `docs/spec/unikat.md` numbers them, U1 to U18."""
