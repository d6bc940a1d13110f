"""How each peer is asked: files that the peers' interpreter runs; a JSON file of questions in, answers as JSON out."""
