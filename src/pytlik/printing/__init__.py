"""Print and play: sheets of both games at true size, as PDF.

Pages are worked out as marks in millimetres, from the same drawings as in notebooks. Only `pdf`
knows how they are written.
"""
