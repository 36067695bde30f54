"""What a tool is, its JSON Schema, the packs that bring tools, the registry that knows them."""
