"""What the benchmark scripts share: taking turns with a peer, the questions asked, and how a figure is printed."""
