"""Pytlik: Unikat and Ubongo Extreme, to play with anyone and to study."""
