"""The generations of an environment: built beside each other, proven, and taken into use by one link."""
