import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { REASONS } from "../state/chat";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Empty, SelectField } from "../ui/parts";
import { Page } from "../ui/Page";
import { Button } from "../ui/Button";
import { DataTable } from "./DataTable";

type Opinion = Wire["OpinionOut"];
type Which = "-1" | "1" | "";

/** What people thought of answers: the thumbs, why, and the question each was about. */
export function FeedbackPage() {
  const { t } = useSpeech();
  useTitle(t("admin.feedback"));
  const [which, setWhich] = useState<Which>("-1");
  return (
    <Page wide title={t("admin.feedback")} lead={t("opinion.lead")}>
      <div class="form-grid filters">
        <SelectField<Which>
          label={t("opinion.show")}
          value={which}
          onPick={setWhich}
          options={[
            ["-1", t("chat.bad")],
            ["1", t("chat.good")],
            ["", t("opinion.all")],
          ]}
        />
      </div>
      <Opinions key={which} which={which} />
    </Page>
  );
}

function Opinions({ which }: { which: Which }) {
  const { t } = useSpeech();
  const [after, setAfter] = useState<Wire["OpinionPage"]>({ entries: [], next: null });
  // A page joins those before it when it is there: until then, and where it fails, they stand alone.
  const loaded = useLoad(
    async (signal) => {
      const query = { value: which || undefined, before: after.next ?? undefined };
      const page = await api.get("/admin/feedback", { query, signal });
      return { ...page, entries: [...after.entries, ...page.entries] };
    },
    [after],
  );
  return (
    <Await of={loaded}>
      {(shown) => {
        if (!shown.entries.length) return <Empty icon="thumbUp" title={t("opinion.none")} />;
        return (
          <>
            <OpinionTable list={shown.entries} />
            {shown.next !== null && (
              <Button busy={loaded.loading} onClick={() => setAfter(shown)}>
                {t("list.more")}
              </Button>
            )}
          </>
        );
      }}
    </Await>
  );
}

function OpinionTable({ list }: { list: Opinion[] }) {
  const { t, moment } = useSpeech();
  return (
    <DataTable
      label={t("admin.feedback")}
      rows={list}
      keyOf={(one) => `${one.message_id} ${one.person}`}
      columns={[
        { label: t("opinion.question"), name: true, show: (one) => <span dir="auto" class="opinion-question">{one.question}</span> },
        { label: t("opinion.thumb"), show: (one) => <Badge kind={one.value > 0 ? "good" : "bad"}>{t(one.value > 0 ? "chat.good" : "chat.bad")}</Badge> },
        { label: t("opinion.why"), show: (one) => <WhyShown {...one} /> },
        { label: t("access.person"), show: (one) => <Whose {...one} /> },
        { label: t("opinion.at"), show: (one) => <span class="nowrap">{moment(one.at)}</span> },
      ]}
    />
  );
}

function Whose({ person, agent, model }: Opinion) {
  return (
    <span>
      {person}
      <span class="row-words">{`${agent.name} · ${model}`}</span>
    </span>
  );
}

function WhyShown({ reasons, comment }: Opinion) {
  const { t } = useSpeech();
  return (
    <div class="why-said">
      {REASONS.filter((one) => reasons.includes(one)).map((one) => (
        <Badge key={one}>{t(`why.${one}`)}</Badge>
      ))}
      {comment && <q dir="auto">{comment}</q>}
    </div>
  );
}
