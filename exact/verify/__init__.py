"""Other people's work held against a rule file: dealt rounds, programs, frequencies, and what tells them apart."""
