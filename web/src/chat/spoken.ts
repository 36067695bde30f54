import { useEffect, useRef } from "preact/hooks";
import { useSpeech } from "../i18n";
import { textOf, type Turn } from "../state/turn";
import { announce } from "../ui/announce";

/**
 * Read the answer aloud as it comes, a few sentences at a time: a live region that held the whole
 * text would be read again from the start at each piece.
 */
export function useSpoken(turn: Turn | null, busy: boolean): void {
  const { t } = useSpeech();
  const said = useRef({ turn: null as string | null, length: 0, at: 0 });
  const watched = useRef(false);
  const text = turn ? textOf(turn) : "";
  useEffect(() => {
    if (busy) watched.current = true;
    if (!turn) return;
    const state = said.current;
    if (!busy) {
      // A short answer may be whole before any of it was said: then all of it is said now.
      if (watched.current) {
        const rest = (state.turn === turn.id ? text.slice(state.length) : text).trim();
        announce([rest.slice(0, 600), t("chat.answer_done")].filter(Boolean).join(" "));
      }
      watched.current = false;
      said.current = { turn: null, length: 0, at: 0 };
      return;
    }
    if (state.turn !== turn.id) said.current = { turn: turn.id, length: 0, at: 0 };
    const fresh = text.slice(said.current.length);
    const end = Math.max(fresh.lastIndexOf(". "), fresh.lastIndexOf("\n"), fresh.lastIndexOf("? "), fresh.lastIndexOf("! "));
    if (end < 40 || Date.now() - said.current.at < 1500) return;
    announce(fresh.slice(0, end + 1));
    said.current.length += end + 1;
    said.current.at = Date.now();
    // When there is more to say: a turn is another object at each event, most of which add no words.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text, busy]);
}
