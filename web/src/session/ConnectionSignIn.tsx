import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { href, replace } from "../state/route";
import { person } from "../state/person";
import { useStore } from "../state/store";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useTitle } from "../ui/hooks";
import { Empty, Loading, Note } from "../ui/parts";
import { Page } from "../ui/Page";

/** The two ends of a sign-in to somebody else's server: on the way there, and back. */
export function ConnectionSignIn({ id, action, query }: { id: string; action: string | undefined; query: URLSearchParams }) {
  const { t } = useSpeech();
  useTitle(t("connections.sign_in"));
  if (id === "callback") return <Back query={query} />;
  if (action === "sign-in") return <There id={id} />;
  return (
    <div class="page">
      <Empty icon="search" title={t("nav.not_found")} />
    </div>
  );
}

function There({ id }: { id: string }) {
  const { t } = useSpeech();
  const [begin, , problem] = useAction(async () => {
    const door = await api.post("/connections/{id}/sign-in", { path: { id } });
    location.href = door.url;
  });
  // Once for each server: `begin` is another function at each drawing.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => void begin(), [id]);
  return <Page title={t("connections.sign_in")}>{problem ? <ErrorNote problem={problem} /> : <Loading />}</Page>;
}

const CARRIED = ["state", "code", "iss", "error"] as const;
let outcome: Promise<Wire["SignInOutcome"]> | null = null;

function Back({ query }: { query: URLSearchParams }) {
  const { t } = useSpeech();
  const me = useStore(person);
  const [read, busy, problem] = useAction(async () => {
    const given: unknown = Object.fromEntries(CARRIED.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
    // The code is good once: it goes from the address bar as soon as it was handed over.
    outcome ??= api.post("/connections/came-back", { body: given as Wire["CameBack"] });
    const came = await outcome;
    outcome = null;
    replace("connections", "callback", came.ok ? "ok" : "failed");
    done.ok = came.ok;
    done.detail = came.detail;
  });
  useEffect(() => {
    if (query.get("state")) void read();
    // Once: what was handed over is taken out of the address, which would look like another return.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <Page title={t("connections.sign_in")}>
      {busy && <Loading />}
      <ErrorNote problem={problem} />
      {done.ok === true && <Note kind="good">{t("connections.came_back")}</Note>}
      {done.ok === false && (
        <Note kind="warn">
          {t("connections.came_back_failed")} {done.detail}
        </Note>
      )}
      <p>{me?.role === "admin" ? <a href={href("admin", "connections")}>{t("admin.connections")}</a> : <a href={href()}>{t("nav.new_chat")}</a>}</p>
    </Page>
  );
}

const done: { ok: boolean | null; detail: string } = { ok: null, detail: "" };
