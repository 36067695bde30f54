"""Ask a question and print the answer as it arrives.

python examples/ask.py "qual é o defeito mais frequente?"
"""

from __future__ import annotations

import sys

from house import events, send, sign_in


def main() -> None:
    question = " ".join(sys.argv[1:]) or "qual é o defeito mais frequente?"
    token = sign_in()
    conversation = send("POST", "/conversations", {"agent": "Qualidade"}, token)["id"]
    for event in events(f"/conversations/{conversation}/messages", {"content": question}, token):
        match event:
            case {"type": "text", "content": text}:
                print(text, end="", flush=True)
            case {"type": "tool_use", "name": name, "input": given}:
                print(f"\n[{name} {given}]")
    print()


if __name__ == "__main__":
    main()
