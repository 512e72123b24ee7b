"""Ubongo Extreme: the rules as `docs/spec/ubongo.md` numbers them, G1 to G16."""
