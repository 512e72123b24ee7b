"""What is due, and what happens then."""
