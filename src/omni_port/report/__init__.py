"""What the commands did, as text, JSON, GitHub annotations, SARIF or Markdown."""
