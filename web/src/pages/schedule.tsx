import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { describeCron } from "../../../src/contract/values.ts";
import { visiblePreview } from "../../../src/contract/visible-text.ts";
import { ApiProblem, type AnswerOf, post, remove } from "../api/http.ts";
import { useMayOperate } from "../api/use-me.ts";
import { usePersonName } from "../features/people/use-person-name.ts";
import { PausedNote } from "../features/schedules/paused-note.tsx";
import { PlannedTime } from "../features/schedules/planned-time.tsx";
import { Runs } from "../features/schedules/runs.tsx";
import { ScheduleForm } from "../features/schedules/schedule-form.tsx";
import { Toggle } from "../features/schedules/schedule-row.tsx";
import { TEXTS } from "../features/schedules/texts.ts";
import { useSchedule } from "../features/schedules/use-schedules.ts";
import { COMMON } from "../i18n/common.ts";
import { useLocale } from "../i18n/locale.ts";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { PageHead, SectionHead } from "../ui/page-head.tsx";
import { toast } from "../ui/toast.tsx";
import { useAction } from "../ui/use-action.ts";

type Schedule = AnswerOf<"get", "/api/schedules/{id}">;

export function Page() {
  const { scheduleId = "" } = useParams({ strict: false });
  const text = useTexts(TEXTS);
  const { data, error, refetch } = useSchedule(scheduleId);
  if (error instanceof ApiProblem && error.status === 404) return <PageHead title={text.notHere} />;
  if (data) return <SchedulePage schedule={data} />;
  return error ? <PageError error={error} reset={() => void refetch()} /> : <Loading />;
}

function SchedulePage({ schedule }: { readonly schedule: Schedule }) {
  const text = useTexts(TEXTS);
  const mayOperate = useMayOperate();
  return (
    <>
      <p className="text-xs">
        <Link to="/schedules" className="text-text-2 hover:text-text hover:underline">
          {text.back}
        </Link>
      </p>
      <PageHead title={visiblePreview(schedule.name)} note={<When schedule={schedule} />}>
        <Toggle schedule={schedule} />
        {mayOperate && <Actions schedule={schedule} />}
      </PageHead>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <section>
            <SectionHead title={text.request} />
            <Card className="p-4">
              <p className="break-words whitespace-pre-wrap" dir="auto">
                {visible(schedule.request)}
              </p>
              {schedule.template && <FromTemplate template={schedule.template} />}
            </Card>
          </section>
          <Runs schedule={schedule} />
        </div>
        <Facts schedule={schedule} />
      </div>
    </>
  );
}

function FromTemplate({ template }: { readonly template: NonNullable<Schedule["template"]> }) {
  const text = useTexts(TEXTS);
  const values = Object.entries(template.values);
  return (
    <div className="mt-3 border-t border-line pt-3 text-xs text-text-3">
      <p>
        {text.fromTemplate}:{" "}
        <Link
          to="/templates/$templateId"
          params={{ templateId: template.id }}
          className="font-mono break-all text-violet hover:underline"
        >
          {visible(template.id)}
        </Link>
        {values.map(([name, value]) => (
          <span key={name} className="ml-2 break-words" dir="auto">
            {visible(`${name} = ${value}`)}
          </span>
        ))}
      </p>
      <p>{text.readAgain}</p>
    </div>
  );
}

function When({ schedule }: { readonly schedule: Schedule }) {
  const locale = useLocale((state) => state.locale);
  const { cron, timeZone } = schedule;
  return (
    <>
      {describeCron(cron, locale)} <span className="text-xs text-text-3">{timeZone}</span>{" "}
      <span className="font-mono text-xs text-text-3">{cron}</span>
      <PausedNote schedule={schedule} />
    </>
  );
}

function Facts({ schedule }: { readonly schedule: Schedule }) {
  const text = useTexts(TEXTS);
  const nameOf = usePersonName();
  const facts = [
    [text.requester, nameOf(schedule.requester)],
    [text.missed, text.missedPolicy[schedule.missed]],
    [text.overlap, text.overlapPolicy[schedule.overlap]],
    [text.directory, visible(schedule.workingDirectory)],
  ] as const;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {schedule.next.length > 0 && (
        <section>
          <SectionHead title={text.upcoming} />
          <Card className="p-4">
            <ol>
              {schedule.next.map((at) => (
                <li key={at}>
                  <PlannedTime at={at} timeZone={schedule.timeZone} />
                </li>
              ))}
            </ol>
          </Card>
        </section>
      )}
      <dl className="flex flex-col gap-2">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-text-3">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Actions({ schedule }: { readonly schedule: Schedule }) {
  const text = useTexts(TEXTS);
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const params = { id: schedule.scheduleId };
  const start = useAction(async () => {
    const { taskId } = await post("/api/schedules/{id}/run", { params });
    toast({ kind: "info", title: text.requested, detail: taskId });
  });
  const icon = { size: 14, "aria-hidden": true } as const;
  return (
    <>
      <Button
        look="violet"
        icon={<Play {...icon} />}
        onPress={() => void start.run()}
        isPending={start.isRunning}
      >
        {text.runNow}
      </Button>
      <Button icon={<Pencil {...icon} />} onPress={() => setOpen("edit")}>
        {text.edit}
      </Button>
      <Button look="reject" icon={<Trash2 {...icon} />} onPress={() => setOpen("remove")}>
        {text.remove}
      </Button>
      {open === "edit" && (
        <ScheduleForm
          schedule={schedule}
          onClose={() => setOpen(null)}
          onSaved={() => setOpen(null)}
        />
      )}
      {open === "remove" && <RemoveDialog schedule={schedule} onClose={() => setOpen(null)} />}
    </>
  );
}

function RemoveDialog({
  schedule,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const navigate = useNavigate();
  const { scheduleId: id, version } = schedule;
  const deletion = useAction(async () => {
    await remove("/api/schedules/{id}", { params: { id }, query: { version: String(version) } });
    await navigate({ to: "/schedules" });
  });
  return (
    <Dialog title={text.removeTitle} isOpen onClose={onClose}>
      <p className="mb-4 text-text-2">{text.removeBody}</p>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button look="danger" onPress={() => void deletion.run()} isPending={deletion.isRunning}>
          {text.remove}
        </Button>
      </div>
    </Dialog>
  );
}
