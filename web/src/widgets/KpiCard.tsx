import type { ComponentChildren } from "preact";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { Icon, type IconName } from "../ui/icons";
import { Badge } from "../ui/parts";
import { Sparkline } from "./Sparkline";

const DIRECTIONS: Record<string, IconName> = {
  subida: "up", sobe: "up", subir: "up", up: "up", aumento: "up", alta: "up", positiva: "up",
  descida: "down", desce: "down", descer: "down", down: "down", queda: "down", baixa: "down", negativa: "down",
  estavel: "right", "estável": "right", igual: "right", flat: "right", stable: "right",
};

export function KpiCard({ title, data, actions }: { title: string; data: JsonObject; actions?: ComponentChildren }) {
  const { t, number } = useSpeech();
  const show = (value: Json | undefined) => (typeof value === "number" ? number(value, { maximumFractionDigits: 3 }) : value === null || value === undefined ? "" : String(value));
  const trend = data["tendencia"] ?? data["trend"];
  const icon =
    typeof trend === "number"
      ? trend > 0 ? "up" : trend < 0 ? "down" : "right"
      : (DIRECTIONS[String(data["direcao"] ?? "")] ?? DIRECTIONS[String(trend ?? "").toLowerCase()]);
  const good = DIRECTIONS[String(data["melhor"] ?? "")];
  const verdict = good && icon && icon !== "right" ? (icon === good ? "good" : "bad") : null;
  const note = data["descricao"] ?? data["nota"] ?? data["subtitulo"] ?? data["comparacao"];
  const given = data["serie"] ?? data["historico"];
  const history = Array.isArray(given) ? given.filter((one): one is number => typeof one === "number" && Number.isFinite(one)) : [];
  const [before, now] = history.slice(-2);
  const step = before === undefined || now === undefined ? null : t("kpi.step", { change: number(now - before, { maximumFractionDigits: 3, signDisplay: "exceptZero" }) });
  const change = data["variacao"] ?? data["delta"] ?? trend ?? step;
  return (
    <section class="widget kpi-widget" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {actions && <div class="widget-actions">{actions}</div>}
      </header>
      <p class="kpi-value">
        {show(data["valor"] ?? data["value"])}
        {data["unidade"] ? <span class="kpi-unit"> {show(data["unidade"])}</span> : null}
      </p>
      <Sparkline values={history} />
      {change !== undefined && change !== null ? (
        <p class="kpi-trend">
          {icon && <Icon name={icon} size={16} />} {show(change)}{" "}
          {verdict && <Badge kind={verdict}>{t(`kpi.${verdict}`)}</Badge>}
        </p>
      ) : null}
      {good === "up" || good === "down" ? <p class="hint">{t(`kpi.${good}_is_good`)}</p> : null}
      {note ? <p class="hint">{show(note)}</p> : null}
    </section>
  );
}
