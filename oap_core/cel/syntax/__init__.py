"""The text of an expression: characters, tokens, literals, brackets, macros, and what to say where they are wrong."""
