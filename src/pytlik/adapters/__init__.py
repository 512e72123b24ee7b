"""Pytlik's games in the form that research libraries expect. Each needs an extra: see
docs/research.md."""
