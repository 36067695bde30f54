"""Routes for administrators, one module per noun."""
