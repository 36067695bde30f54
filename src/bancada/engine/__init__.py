"""The turn: reply, tools, repeat; what the model sees; code that calls tools; going on later."""
