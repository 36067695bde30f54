import type { ComponentChildren } from "preact";
import { Problem, Unreachable } from "../api/client";
import { type Speech, useSpeech } from "../i18n";
import { Icon } from "./icons";

/** What went wrong and what to do next, in words. The server's own sentence comes first. */
export function wordsFor(problem: unknown, { t }: Speech): string {
  if (problem instanceof Unreachable) return t("error.unreachable");
  if (problem instanceof Problem) {
    if (problem.detail) return problem.detail;
    if (problem.status === 401) return t("error.signed_out");
    if (problem.status === 403) return t("error.forbidden");
    if (problem.status === 404) return t("error.not_found");
    if (problem.status === 413) return t("error.too_large");
    if (problem.status === 429) return t("error.too_many");
    return t("error.server", { status: problem.status });
  }
  if (problem instanceof Error && problem.message) return problem.message;
  return t("error.unknown");
}

export function ErrorNote({ problem, children }: { problem: unknown; children?: ComponentChildren }) {
  const speech = useSpeech();
  if (!problem) return null;
  return (
    <div class="note error" role="alert">
      <Icon name="alert" />
      <p>{wordsFor(problem, speech)}</p>
      {children}
    </div>
  );
}
