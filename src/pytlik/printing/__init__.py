"""Print and play: sheets of both games at true size, as PDF.

Pages are made of marks in millimetres, with the same drawings as in notebooks. Only `pdf` knows the
file format.
"""
