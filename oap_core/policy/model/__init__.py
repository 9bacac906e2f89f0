"""What files hold: one pydantic model for each kind, the only place where the keys of the format stand."""
