"""Values to text, Markdown and JSON. Renderers decide nothing: they know the model and no other floor."""
