"""The compiled part of Unikat: the rules as numbers, and how good a hand is.

kernel/ holds a round, and evaluation/ judges hands on top of it. kernel_bridge.py translates
between the kernel and the rules' values, and longest_turn.py asks it for the turns that lay most
tiles.
"""
