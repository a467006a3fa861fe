import { Link } from "@tanstack/react-router";
import type { WireSchedule, WireScheduleRun } from "../../../../src/contract/shapes/schedules.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { Card } from "../../ui/card.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { SectionHead } from "../../ui/page-head.tsx";
import { PlannedTime } from "./planned-time.tsx";
import { RunBadge } from "./run-badge.tsx";
import { TEXTS } from "./texts.ts";
import { useScheduleRuns } from "./use-schedules.ts";

/** What happened at the planned times. */
export function Runs({ schedule }: { readonly schedule: WireSchedule }) {
  const text = useTexts(TEXTS);
  const read = useScheduleRuns(schedule.scheduleId);
  const runs = read.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <section>
      <SectionHead title={text.history} />
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isSuccess && runs.length === 0 && <p className="text-text-2">{text.notYet}</p>}
      {runs.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {runs.map((run) => (
              <li
                key={`${run.plannedAt} ${run.manual}`}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2"
              >
                <Run run={run} timeZone={schedule.timeZone} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore
        hasMore={read.hasNextPage}
        isLoading={read.isFetchingNextPage}
        onMore={() => void read.fetchNextPage()}
      />
    </section>
  );
}

function Run({ run, timeZone }: { readonly run: WireScheduleRun; readonly timeZone: string }) {
  const text = useTexts(TEXTS);
  const inWords = useReason();
  const { plannedAt, manual, count, taskId, reason } = run;
  return (
    <>
      <PlannedTime at={plannedAt} timeZone={timeZone} />
      <RunBadge run={run} />
      {manual && <span className="text-xs text-text-3">{text.manual}</span>}
      {count > 1 && <span className="text-xs text-text-3">{text.times(count)}</span>}
      {taskId !== null && (
        <Link
          to="/tasks/$taskId"
          params={{ taskId }}
          className="font-mono text-xs break-all text-violet hover:underline"
        >
          {taskId}
        </Link>
      )}
      {reason !== null && (
        <span className="text-xs break-words text-failed">{visible(inWords(reason))}</span>
      )}
    </>
  );
}
