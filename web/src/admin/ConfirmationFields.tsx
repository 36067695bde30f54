import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { type Role, ROLES } from "../state/person";
import { SelectField, Switch, TextField } from "../ui/parts";
import { JsonField } from "../ui/SchemaForm";
import { ASKS, type Asks, type Rule } from "./confirmation";

interface ConfirmationFieldsProps {
  rule: Rule;
  onChange(rule: Rule): void;
  onValid(valid: boolean): void;
}

/** When a person is asked first, who decides, and whether one word may hold for a conversation. */
export function ConfirmationFields({ rule, onChange, onValid }: ConfirmationFieldsProps) {
  const { t } = useSpeech();
  const asks = rule.asks === "always" || rule.asks === "when";
  return (
    <>
      <SelectField<Asks> label={t("tools.confirmation")} value={rule.asks} options={ASKS.map((one) => [one, t(`tools.asks_${one}`)] as const)} onPick={(next) => onChange({ ...rule, asks: next })} />
      {asks && (
        <SelectField<Role | "">
          label={t("tools.approver")}
          value={rule.approver}
          options={[["", t("tools.approver_self")], ...ROLES.map((role) => [role, t(`role.${role}`)] as const)]}
          onPick={(approver) => onChange({ ...rule, approver })}
        />
      )}
      {asks && <TextField label={t("tools.tell")} hint={t("tools.tell_hint")} value={rule.tell} onText={(tell) => onChange({ ...rule, tell })} />}
      {rule.asks === "when" && (
        <div class="span">
          <JsonField label={t("tools.when")} hint={t("tools.when_hint")} value={rule.when} onChange={(when: Json) => onChange({ ...rule, when })} onValid={onValid} rows={3} />
        </div>
      )}
      {asks && <Switch label={t("tools.four_eyes")} checked={rule.other} onChange={(other) => onChange({ ...rule, other })} />}
      {asks && <Switch label={t("tools.remember")} checked={rule.remember} onChange={(remember) => onChange({ ...rule, remember })} />}
    </>
  );
}
