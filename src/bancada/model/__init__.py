"""Where replies come from: the seam, the Anthropic client, the offline model, the scripted one."""
