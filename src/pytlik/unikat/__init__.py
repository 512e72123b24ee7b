"""Unikat. Numbers such as U8 are those of the rules in `docs/spec/unikat.md`.

The rules are here: model (values), messages (actions and events), rules (decide and apply; with
legal, action_checks and rounds), view (what a seat may know) and position (a round as the referee
writes it). bots/ has everything that can sit down, engine/ the compiled searches, and coach.py and
solo_puzzles.py what people learn from.
"""
