import { Link } from "@tanstack/react-router";
import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import { describeCron } from "../../../../src/contract/values.ts";
import { visibleLine, visiblePreview } from "../../../../src/contract/visible-text.ts";
import { patch } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useAction } from "../../ui/use-action.ts";
import { PausedNote } from "./paused-note.tsx";
import { PlannedTime } from "./planned-time.tsx";
import { RunBadge } from "./run-badge.tsx";
import { TEXTS } from "./texts.ts";

export function ScheduleRow({ schedule }: { readonly schedule: WireSchedule }) {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const { scheduleId, name, cron, timeZone, status, nextAt, lastRun } = schedule;
  return (
    <Card
      className="grid gap-x-6 gap-y-2 p-4 md:grid-cols-[minmax(0,1fr)_16rem_auto] md:items-center"
      bar={status === "active" ? "success" : "cancelled"}
    >
      <div className="min-w-0">
        <Link
          to="/schedules/$scheduleId"
          params={{ scheduleId }}
          className="font-semibold break-words hover:underline"
          dir="auto"
        >
          {visiblePreview(name)}
        </Link>
        <p className="text-text-2">
          {describeCron(cron, locale)} <span className="text-xs text-text-3">{timeZone}</span>
        </p>
        <PausedNote schedule={schedule} />
      </div>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-2 gap-y-1 text-xs">
        {nextAt !== null && (
          <>
            <dt className="text-text-3">{text.next}</dt>
            <dd>
              <PlannedTime at={nextAt} timeZone={timeZone} />
            </dd>
          </>
        )}
        <dt className="text-text-3">{text.last}</dt>
        <dd>{lastRun ? <RunBadge run={lastRun} /> : text.notYet}</dd>
      </dl>
      <Toggle schedule={schedule} />
    </Card>
  );
}

export function Toggle({ schedule }: { readonly schedule: WireSchedule }) {
  const text = useTexts(TEXTS);
  const mayOperate = useMayOperate();
  const { scheduleId, name, status, version } = schedule;
  const isActive = status === "active";
  const toggle = useAction(() =>
    patch("/api/schedules/{id}", {
      params: { id: scheduleId },
      body: { status: isActive ? "paused" : "active", version },
    }),
  );
  return (
    // Every switch of a list has the same label, so the group names the schedule.
    <div role="group" aria-label={visibleLine(name)}>
      <Switch
        label={isActive ? text.active : text.paused}
        isOn={isActive}
        isDisabled={!mayOperate || toggle.isRunning}
        onChange={() => void toggle.run()}
      />
    </div>
  );
}
