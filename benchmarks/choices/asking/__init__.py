"""How each peer is asked: files that the peers' interpreter runs, targets as JSON in, answers as JSON out."""
