"""Every sentence for people, one module a language; the keys are the same in each."""
