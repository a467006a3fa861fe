import { Link } from "@tanstack/react-router";
import { ArrowRight, CalendarOff } from "lucide-react";
import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import { PausedNote } from "../../features/schedules/paused-note.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { Card } from "../../ui/card.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { TEXTS } from "./texts.ts";

const MAX_SCHEDULES = 4;

/** Schedules that paused themselves: they request nothing until a person resumes them. */
export function PausedSchedulesCard({
  schedules,
}: {
  readonly schedules: readonly WireSchedule[];
}) {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  return (
    <Card bar="timeout" className="flex h-full flex-col gap-1 py-3 pr-3 pl-4">
      <div className="flex items-center justify-between gap-2">
        <StatusBadge status="timeout" label={`${text.pausedSchedules} ${schedules.length}`} />
        <Link
          to="/schedules"
          className="inline-flex items-center gap-1 text-xs text-violet hover:underline"
        >
          {nav.schedules}
          <ArrowRight size={12} aria-hidden />
        </Link>
      </div>
      <ul className="divide-y divide-line/70">
        {schedules.slice(0, MAX_SCHEDULES).map((schedule) => (
          <li key={schedule.scheduleId} className="relative flex items-start gap-2.5 py-2">
            <CalendarOff size={14} aria-hidden className="mt-1 shrink-0 text-timeout" />
            <div className="min-w-0 flex-1">
              <h3>
                <Link
                  to="/schedules/$scheduleId"
                  params={{ scheduleId: schedule.scheduleId }}
                  className="line-clamp-1 font-semibold after:absolute after:inset-0 hover:text-violet"
                >
                  {visible(schedule.name)}
                </Link>
              </h3>
              <PausedNote schedule={schedule} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
