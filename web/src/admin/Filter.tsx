import { useSpeech } from "../i18n";
import { Icon } from "../ui/icons";

export function Filter({ value, onText }: { value: string; onText(text: string): void }) {
  const { t } = useSpeech();
  return (
    <label class="search filter">
      <Icon name="search" size={16} />
      <span class="visually-hidden">{t("admin.filter")}</span>
      <input type="search" placeholder={t("admin.filter")} value={value} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  );
}

export function matches(query: string, ...texts: (string | null | undefined)[]): boolean {
  const plain = (text: string) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const wanted = plain(query.trim());
  return !wanted || texts.some((text) => text && plain(text).includes(wanted));
}
