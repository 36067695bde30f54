"""Ask for something that changes the world: it waits for a person, and runs once they say so."""

from __future__ import annotations

from house import events, send, sign_in


def main() -> None:
    token = sign_in()
    conversation = send("POST", "/conversations", {"agent": "Assistente"}, token)["id"]
    question = {"content": "create a task to call the paint supplier"}
    for event in events(f"/conversations/{conversation}/messages", question, token):
        if event["type"] == "confirmation":
            print("Waits for a person:", event)
    for waiting in send("GET", "/confirmations", token=token):
        if waiting["conversation_id"] == conversation:
            decided = send(
                "POST", f"/confirmations/{waiting['id']}", {"decision": "approve"}, token
            )
            print("Decided:", decided["status"])


if __name__ == "__main__":
    main()
