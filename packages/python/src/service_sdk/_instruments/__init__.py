"""What the SDK installs in the interpreter and the standard library: one file for each, which ``close()`` undoes."""
