"""Who may call what, who is asked first, and how much may be spent."""
