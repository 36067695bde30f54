import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { href } from "../state/route";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, CopyButton, Empty } from "../ui/parts";
import { Page } from "../ui/Page";

type Ways = Wire["SignInOut"];
type Provider = Wire["SignInProvider"];
type Finding = Wire["ProviderFinding"];

const KINDS = { ok: "good", note: "warn", missing: "bad" } as const;

/** How people sign in: what the operator configured, tested before it is switched on. */
export function SignInPage() {
  const { t } = useSpeech();
  useTitle(t("admin.signin"));
  const loaded = useLoad((signal) => api.get("/admin/sign-in", { signal }), []);
  return (
    <Page title={t("admin.signin")} lead={t("ways.lead")}>
      <Await of={loaded}>
        {(ways) => (
          <>
            {ways.providers.length === 0 && (
              <Empty icon="key" title={t("ways.none")}>
                {t("ways.none_words")}
              </Empty>
            )}
            {ways.providers.map((one) => (
              <ProviderPanel key={one.name} provider={one} />
            ))}
            <Passwords ways={ways} />
            <DirectoryPanel address={ways.scim} />
          </>
        )}
      </Await>
    </Page>
  );
}

function ProviderPanel({ provider }: { provider: Provider }) {
  const { t } = useSpeech();
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const [test, busy, problem] = useAction(async () => {
    setFindings((await api.post("/admin/sign-in/{name}/test", { path: { name: provider.name } })).findings);
  });
  const roles = Object.entries(provider.roles);
  return (
    <section class="panel">
      <header class="page-head">
        <div>
          <h2>
            {provider.label} <Badge {...(provider.enabled ? { kind: "good" as const } : {})}>{t(provider.enabled ? "ways.on" : "ways.off")}</Badge>
          </h2>
          <p class="hint">
            <code>[oidc.{provider.name}]</code>
          </p>
        </div>
        <Button busy={busy} aria-label={`${t("ways.test")}: ${provider.label}`} onClick={() => void test()}>
          {t("ways.test")}
        </Button>
      </header>
      <dl class="facts">
        <dt>{t("ways.issuer")}</dt>
        <dd>
          <code>{provider.issuer}</code>
        </dd>
        <dt>{t("ways.client")}</dt>
        <dd>
          <code>{provider.client_id}</code>
        </dd>
        <dt>{t("ways.callback")}</dt>
        <dd>
          <code>{provider.callback}</code> <CopyButton text={provider.callback} />
        </dd>
        <dt>{t("ways.roles")}</dt>
        <dd>
          {roles.length === 0 ? (
            t("ways.roles_local")
          ) : (
            <>
              {roles.map(([group, role]) => (
                <div key={group}>
                  {group} → {t(`role.${role}`)}
                </div>
              ))}
              <div class="hint">{provider.default_role ? t("ways.default_role", { role: t(`role.${provider.default_role}`) }) : t("ways.no_default_role")}</div>
            </>
          )}
        </dd>
        <dt>{t("ways.first")}</dt>
        <dd>{t(provider.create ? "ways.creates" : "ways.creates_not")}</dd>
      </dl>
      <ErrorNote problem={problem} />
      {findings && (
        <ul class="findings" aria-live="polite">
          {findings.map((one) => (
            <li key={one.says}>
              <Badge kind={KINDS[one.status]}>{t(`system.${one.status}`)}</Badge> <span>{one.says}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Passwords({ ways }: { ways: Ways }) {
  const { t } = useSpeech();
  return (
    <section class="panel">
      <h2>
        {t("ways.passwords")} <Badge {...(ways.passwords ? { kind: "good" as const } : {})}>{t(ways.passwords ? "ways.on" : "ways.off")}</Badge>
      </h2>
      <p class="hint">{t(ways.passwords ? "ways.passwords_on" : "ways.passwords_off")}</p>
      {ways.break_glass ? (
        <p>
          {t("ways.break_glass")}: <strong>{ways.break_glass.email}</strong> <Badge kind={KINDS[ways.break_glass.status]}>{t(`system.${ways.break_glass.status}`)}</Badge>{" "}
          <span>{ways.break_glass.says}</span>
        </p>
      ) : (
        <p class="hint">{t("ways.break_glass_none")}</p>
      )}
    </section>
  );
}

function DirectoryPanel({ address }: { address: string }) {
  const { t } = useSpeech();
  return (
    <section class="panel">
      <h2>{t("ways.directory")}</h2>
      <p class="hint">{t("ways.directory_words")}</p>
      <div class="copy-line">
        <input readOnly value={address} aria-label={t("ways.directory_address")} class="mono" onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={address} />
      </div>
      <p class="hint">
        {t("ways.directory_key")} <a href={href("admin", "keys")}>{t("admin.keys")}</a>
      </p>
    </section>
  );
}
