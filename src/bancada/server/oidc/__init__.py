"""Signing in with the organisation's own provider (OpenID Connect)."""
