"""CI cells: which combinations hold, and a few of them that stand for all."""
