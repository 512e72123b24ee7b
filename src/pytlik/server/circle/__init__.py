"""Groups that play regularly, and what they have won."""
