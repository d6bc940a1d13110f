"""The cells of a matrix as CI systems take them, one form a file. Each has `render(matrix) -> text`."""
