"""Unikat. Numbers such as U8 are those of the rules in `docs/spec/unikat.md`.

The rules are here: model (values), messages (actions and events), rules (decide and apply; with
legal, action_checks and rounds), view (what a seat may know) and position (a round in the referee's
notation). bots/ has the bots, engine/ the compiled searches, and coach.py and solo_puzzles.py help
people learn.
"""
