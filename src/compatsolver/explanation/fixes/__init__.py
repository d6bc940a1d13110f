"""The smallest changes that mend a conflict or a finding: candidates for them, their cost, each solved again."""
