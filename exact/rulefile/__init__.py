"""Rule files: their expressions, tables and wagers read, checked and typed as a ``Game``."""
