"""The vendor's SDK, unmodified, with Bancada as its server: same calls, our rules and our record."""

from __future__ import annotations

from anthropic import Anthropic

from house import URL, make_key, sign_in


def main() -> None:
    client = Anthropic(base_url=URL, api_key=make_key(sign_in(), "gateway"))
    with client.messages.stream(
        model="claude-sonnet-5-5",
        max_tokens=500,
        messages=[{"role": "user", "content": "Olá! O que sabes fazer?"}],
    ) as stream:
        for text in stream.text_stream:
            print(text, end="", flush=True)
        print(f"\n({stream.get_final_message().model} answered)")


if __name__ == "__main__":
    main()
