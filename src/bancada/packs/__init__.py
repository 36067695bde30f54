"""Plugins that come with Bancada; each uses public names only."""
