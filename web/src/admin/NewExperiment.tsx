import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button, IconButton } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, SelectField, TextField } from "../ui/parts";

const CHANGES = ["none", "tools_off", "code", "model", "system_prompt", "mode"] as const;
type Change = (typeof CHANGES)[number];

interface Draft {
  name: string;
  change: Change;
  value: string;
}

/** What a variant changes, as the server takes it. */
function changesOf({ change, value }: Draft): Wire["Changes"] {
  if (change === "none") return {};
  if (change === "tools_off") return { tools_off: true };
  if (change === "mode") return { mode: "keyword" };
  return { [change]: change === "code" ? value || "local" : value };
}

export function NewExperiment({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const { t } = useSpeech();
  const agents = useLoad((signal) => api.get("/admin/agents", { signal }), []);
  const [name, setName] = useState("");
  const [agent, setAgent] = useState("");
  const [variants, setVariants] = useState<Draft[]>([
    { name: "A", change: "none", value: "" },
    { name: "B", change: "code", value: "local" },
  ]);
  const put = (index: number, part: Partial<Draft>) => setVariants(variants.with(index, { ...(variants[index] as Draft), ...part }));
  const [start, busy, problem] = useAction(async (fallback: string) => {
    const body = {
      name: name.trim(),
      agent: Number(agent || fallback),
      variants: variants.map((variant) => ({ name: variant.name.trim(), changes: changesOf(variant) })),
    };
    await api.post("/admin/experiments", { body });
    onMade();
  });
  return (
    <Dialog wide title={t("experiments.add")} onClose={onClose}>
      <Await of={agents}>
        {(list) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void start(String(list[0]?.id ?? ""));
            }}
          >
            <div class="form-grid">
              <TextField label={t("users.name")} value={name} onText={setName} required maxLength={120} autoFocus />
              <SelectField label={t("usage.agent")} value={agent || String(list[0]?.id ?? "")} options={list.map((one) => [String(one.id), one.name] as const)} onPick={setAgent} />
            </div>
            <p class="hint">{t("experiments.variants_words")}</p>
            <div class="stack">
              {variants.map((variant, index) => (
                <fieldset key={index} class="row-form">
                  <legend class="visually-hidden">{variant.name}</legend>
                  <TextField label={t("experiments.variant")} value={variant.name} onText={(next) => put(index, { name: next })} required maxLength={40} />
                  <SelectField<Change> label={t("experiments.change")} value={variant.change} options={CHANGES.map((one) => [one, t(`change.${one}`)] as const)} onPick={(change) => put(index, { change, value: change === "code" ? "local" : "" })} />
                  {variant.change === "code" && (
                    <SelectField label={t("agent.code")} value={variant.value || "local"} options={(["direct", "local", "anthropic"] as const).map((one) => [one, t(`agent.code_${one}`)] as const)} onPick={(value) => put(index, { value })} />
                  )}
                  {(variant.change === "model" || variant.change === "system_prompt") && <TextField label={t(`change.${variant.change}`)} value={variant.value} onText={(value) => put(index, { value })} required />}
                  {variants.length > 2 && <IconButton icon="trash" label={t("form.remove_item", { n: index + 1 })} onClick={() => setVariants(variants.toSpliced(index, 1))} />}
                </fieldset>
              ))}
              <div>
                <Button small icon="plus" disabled={variants.length >= 8} onClick={() => setVariants([...variants, { name: String.fromCharCode(65 + variants.length), change: "model", value: "" }])}>
                  {t("experiments.add_variant")}
                </Button>
              </div>
            </div>
            <ErrorNote problem={problem} />
            <div class="form-actions">
              <Button onClick={onClose}>{t("ui.cancel")}</Button>
              <Button kind="primary" type="submit" busy={busy}>
                {t("experiments.start")}
              </Button>
            </div>
          </form>
        )}
      </Await>
    </Dialog>
  );
}
