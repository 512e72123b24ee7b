"""What is going on at the tables of this worker: one room per table, with its connections."""
