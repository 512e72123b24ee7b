"""The server: tables that people share by a link, and the live matches at them."""
