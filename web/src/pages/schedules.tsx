import { CalendarPlus } from "lucide-react";
import { useState } from "react";
import { useMayOperate } from "../api/use-me.ts";
import { ScheduleForm } from "../features/schedules/schedule-form.tsx";
import { ScheduleRow } from "../features/schedules/schedule-row.tsx";
import { TEXTS } from "../features/schedules/texts.ts";
import { useSchedules } from "../features/schedules/use-schedules.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { PageHead } from "../ui/page-head.tsx";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const mayOperate = useMayOperate();
  const read = useSchedules();
  const [isAdding, setAdding] = useState(false);
  const schedules = read.data?.schedules ?? [];
  const add = (
    <Button
      look="violet"
      icon={<CalendarPlus size={15} aria-hidden />}
      onPress={() => setAdding(true)}
    >
      {text.add}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.schedules} note={text.note}>
        {mayOperate && schedules.length > 0 && add}
      </PageHead>
      {!mayOperate && <p className="mb-3 text-text-2">{text.viewer}</p>}
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isSuccess && schedules.length === 0 && (
        <EmptyState title={text.none} action={mayOperate && add}>
          {text.noneBody}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-3">
        {schedules.map((schedule) => (
          <li key={schedule.scheduleId}>
            <ScheduleRow schedule={schedule} />
          </li>
        ))}
      </ul>
      {schedules.length > 0 && <p className="mt-4 text-xs text-text-3">{text.needsDaemon}</p>}
      {isAdding && (
        <ScheduleForm onClose={() => setAdding(false)} onSaved={() => setAdding(false)} />
      )}
    </>
  );
}
