import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { go, href, replace } from "../state/route";
import { Button } from "../ui/Button";
import { useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Page } from "../ui/Page";
import { Await, Badge, Empty } from "../ui/parts";
import { ScheduleForm } from "./ScheduleForm";
import { SchedulePage } from "./SchedulePage";
import { inWords, momentIn } from "./timing";

export type Schedule = Wire["ScheduleOut"];
export type Run = Wire["RunOut"];

/** What runs by the clock: all of the person's, or one of them. */
export function SchedulesPage({ id, dashboard }: { id: string | null; dashboard: string | null }) {
  return id ? <SchedulePage key={id} id={id} /> : <List dashboard={dashboard} />;
}

function List({ dashboard }: { dashboard: string | null }) {
  const { t } = useSpeech();
  const [adding, setAdding] = useState(dashboard !== null);
  const loaded = useLoad((signal) => api.get("/schedules", { signal }), []);
  useTitle(t("nav.schedules"));
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t("schedules.new")}
    </Button>
  );
  return (
    <Page title={t("nav.schedules")} lead={t("schedules.lead")} actions={add}>
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="clock" title={t("schedules.none")}>
              {t("schedules.none_words")}
            </Empty>
          ) : (
            <ul class="schedules">
              {list.map((one) => (
                <li key={one.id}>
                  <Row schedule={one} />
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      {adding && (
        <ScheduleForm
          dashboard={dashboard}
          onClose={() => {
            setAdding(false);
            if (dashboard !== null) replace("schedules");
          }}
          onDone={(made) => go("schedules", made.id)}
        />
      )}
    </Page>
  );
}

function Row({ schedule }: { schedule: Schedule }) {
  const speech = useSpeech();
  const { t, language } = speech;
  return (
    <a class="tile schedule-row" href={href("schedules", schedule.id)}>
      <Icon name={schedule.does["kind"] === "question" ? "chat" : schedule.does["kind"] === "study" ? "chart" : "grid"} size={22} />
      <span class="schedule-what">
        <span class="tile-title">{schedule.title}</span>
        <span class="hint">{inWords(schedule.cron, speech)}</span>
      </span>
      <span class="schedule-state">
        {schedule.paused ? <Badge kind="warn">{t("schedules.paused")}</Badge> : schedule.next_at && <span class="hint">{t("schedules.next", { when: momentIn(schedule.next_at, schedule.time_zone, language) })}</span>}
        {schedule.last_run && <RunBadge run={schedule.last_run} />}
      </span>
    </a>
  );
}

const KINDS = { running: "accent", done: "good", alarm: "warn", failed: "bad", skipped: "warn" } as const;

export function RunBadge({ run }: { run: Run }) {
  const { t } = useSpeech();
  return <Badge kind={KINDS[run.status]}>{t(`schedules.status_${run.status}`)}</Badge>;
}
