import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { person } from "../state/person";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Badge, Check, SelectField, TextField } from "../ui/parts";
import { toast } from "../ui/toast";

type Told = Wire["Notices"];
type Address = Wire["NoticeAddressOut"];
type Kind = Address["kinds"][number];
type Channel = Address["channel"];

const KINDS: readonly Kind[] = ["approval", "decision", "turn", "alarm"];

/** Where the person is told what waits for them when no page of theirs is open: by e-mail, in a chat room. */
export function Notices() {
  const { t } = useSpeech();
  const loaded = useLoad((signal) => api.get("/me/notices", { signal }), []);
  return (
    <section class="panel">
      <h2>{t("notices.title")}</h2>
      <p class="hint">{t("notices.words")}</p>
      <Await of={loaded}>
        {(told) => (
          <>
            <ul class="switches">
              {told.addresses.map((one) => (
                <li key={one.id}>
                  <AddressRow address={one} onChanged={loaded.reload} />
                </li>
              ))}
            </ul>
            {told.email || told.schemes.length > 0 ? <NewAddress told={told} onAdded={loaded.reload} /> : <p class="hint">{t("notices.none_possible")}</p>}
          </>
        )}
      </Await>
    </section>
  );
}

function AddressRow({ address, onChanged }: { address: Address; onChanged(): void }) {
  const { t, ago } = useSpeech();
  const at = { path: { id: address.id } };
  const [choose, , problem] = useAction(async (kinds: Kind[]) => {
    await api.patch("/me/notices/{id}", { ...at, body: { kinds } });
    onChanged();
  });
  const [test, testing, testProblem] = useAction(async () => {
    const tried = await api.post("/me/notices/{id}/test", at);
    if (tried.problem === null) toast(t("notices.arrived"));
    onChanged();
  });
  const [forget, forgetting, forgetProblem] = useAction(async () => {
    await api.delete("/me/notices/{id}", at);
    onChanged();
  });
  return (
    <div class="notice-address">
      <p>
        <strong class="notice-shown">{address.shown}</strong>{" "}
        {address.dead ? <Badge kind="bad">{t("notices.dead")}</Badge> : address.problem !== null ? <Badge kind="warn">{t("notices.failing")}</Badge> : null}
      </p>
      {address.problem !== null && <p class="hint">{t(address.dead ? "notices.dead_words" : "notices.failing_words", { problem: address.problem })}</p>}
      {address.problem === null && address.ok_at && <p class="hint">{t("notices.last", { ago: ago(address.ok_at) })}</p>}
      <fieldset class="checks">
        <legend>{t("notices.kinds")}</legend>
        {KINDS.map((kind) => (
          <Check
            key={kind}
            label={t(`notices.kind_${kind}`)}
            checked={address.kinds.includes(kind)}
            onChange={(on) => void choose(on ? [...address.kinds, kind] : address.kinds.filter((one) => one !== kind))}
          />
        ))}
      </fieldset>
      <ErrorNote problem={problem ?? testProblem ?? forgetProblem} />
      <div class="form-actions">
        <Button small icon="trash" kind="quiet" busy={forgetting} aria-label={`${t("notices.remove")}: ${address.shown}`} onClick={() => void forget()}>
          {t("notices.remove")}
        </Button>
        <Button small busy={testing} aria-label={`${t("notices.test")}: ${address.shown}`} onClick={() => void test()}>
          {t("notices.test")}
        </Button>
      </div>
    </div>
  );
}

function NewAddress({ told, onAdded }: { told: Told; onAdded(): void }) {
  const { t } = useSpeech();
  const me = useStore(person);
  const [channel, setChannel] = useState<Channel>(told.email ? "email" : "chat");
  const [address, setAddress] = useState(told.email ? (me?.email ?? "") : "");
  const [add, busy, problem] = useAction(async () => {
    await api.post("/me/notices", { body: { channel, address: address.trim() } });
    setAddress("");
    toast(t("ui.saved"));
    onAdded();
  });
  const channels = [...(told.email ? (["email"] as const) : []), ...(told.schemes.length > 0 ? (["chat"] as const) : [])];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <div class="form-grid">
        <SelectField<Channel>
          label={t("notices.channel")}
          value={channel}
          options={channels.map((one) => [one, t(`notices.channel_${one}`)] as const)}
          onPick={(next) => {
            setChannel(next);
            setAddress(next === "email" ? (me?.email ?? "") : "");
          }}
        />
        {channel === "email" ? (
          <TextField key="email" type="email" label={t("notices.address")} hint={t("notices.email_hint")} value={address} onText={setAddress} required />
        ) : (
          <TextField key="chat" label={t("notices.room")} hint={t("notices.chat_hint", { names: told.schemes.join(", ") })} value={address} onText={setAddress} autocomplete="off" required />
        )}
      </div>
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button type="submit" busy={busy}>
          {t("notices.add")}
        </Button>
      </div>
    </form>
  );
}
