"""Pytlik's games as other people's tools know games. Each needs an extra: see docs/research.md."""
