import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { person } from "../state/person";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { toast } from "../ui/toast";
import { DataTable } from "./DataTable";
import { OwnOrganisation } from "./OwnOrganisation";
import type { Organisation } from "./types";

/** Its administrators manage the others. */
const FIRST = 1;

/** One's own organisation; and, for administrators of the first one, all of them. */
export function OrganisationsPage() {
  const { t } = useSpeech();
  const me = useStore(person);
  useTitle(t("admin.organisations"));
  if (me?.organisation.id === FIRST) return <All />;
  return (
    <Page title={t("admin.organisations")} lead={t("organisations.lead")}>
      <OwnOrganisation />
    </Page>
  );
}

function All() {
  const { t, money, number } = useSpeech();
  const loaded = useLoad((signal) => api.get("/admin/organisations", { signal }), []);
  const [editing, setEditing] = useState<Organisation | "new" | null>(null);
  return (
    <Page
      title={t("admin.organisations")}
      lead={t("organisations.lead")}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setEditing("new")}>
          {t("organisations.add")}
        </Button>
      }
    >
      <Await of={loaded}>
        {(list) => (
          <DataTable
            label={t("admin.organisations")}
            rows={list}
            keyOf={(one) => one.id}
            columns={[
              {
                label: t("users.name"),
                name: true,
                show: (one) => (
                  <button type="button" class="row-link" onClick={() => setEditing(one)}>
                    {one.name}
                  </button>
                ),
              },
              { label: t("admin.users"), number: true, show: (one) => number(one.people) },
              { label: t("admin.budget"), number: true, show: (one) => (one.monthly_budget_usd != null ? money(one.monthly_budget_usd) : "—") },
            ]}
          />
        )}
      </Await>
      <div class="after">
        <OwnOrganisation />
      </div>
      {editing && (
        <OrganisationForm
          organisation={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null);
            toast(t("ui.saved"));
            loaded.reload();
          }}
        />
      )}
    </Page>
  );
}

function OrganisationForm({ organisation, onClose, onSaved }: { organisation: Organisation | null; onClose(): void; onSaved(): void }) {
  const { t } = useSpeech();
  const [name, setName] = useState(organisation?.name ?? "");
  const [budget, setBudget] = useState(organisation?.monthly_budget_usd?.toString() ?? "");
  const [save, busy, problem] = useAction(async () => {
    const body = { name: name.trim(), monthly_budget_usd: budget.trim() === "" ? null : Number(budget.replace(",", ".")) };
    if (organisation) await api.patch("/admin/organisations/{id}", { path: { id: organisation.id }, body });
    else await api.post("/admin/organisations", { body });
    onSaved();
  });
  return (
    <Dialog title={organisation?.name ?? t("organisations.add")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={t("users.name")} value={name} onText={setName} required maxLength={200} autoFocus />
        <TextField inputMode="decimal" label={t("admin.budget")} hint={t("admin.budget_hint")} value={budget} onText={setBudget} />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {t("ui.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
