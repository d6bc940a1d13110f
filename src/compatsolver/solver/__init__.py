"""The closed problem and its certified answer: pick a candidate for every component so that no rule is violated."""
