"""What server and clients say to each other. The server, the terminal and the page all use it."""
