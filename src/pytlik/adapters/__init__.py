"""Pytlik's games as research libraries expect them. Each needs an extra: see docs/research.md."""
