"""What is really inside a wheel, read from its bytes."""
