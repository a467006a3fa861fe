import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useRef } from "react";
import { jobWords } from "../../../../src/contract/job-words.ts";
import type { WireDeadJob } from "../../../../src/contract/shapes/dead-job.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useFormat } from "../../i18n/format.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible, visibleName } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CountBadge, SectionHead } from "../../ui/page-head.tsx";
import { Ago } from "../../ui/times.tsx";
import { TEXTS } from "./texts.ts";
import { useDeadJobs, useRetry } from "./use-dead-jobs.ts";

/** Jobs that failed too often; nothing if there are none. */
export function DeadJobsSection() {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const mayOperate = useMayOperate();
  const section = useRef<HTMLElement>(null);
  const { data } = useDeadJobs();
  const retryAll = useRetry();
  if (!data || data.jobs.length === 0) return null;
  const { jobs, total } = data;
  return (
    <section ref={section} tabIndex={-1} aria-label={text.title} className="outline-none">
      <SectionHead
        title={text.title}
        note={text.note}
        badge={<CountBadge>{text.count(format.number(total))}</CountBadge>}
      >
        {mayOperate && total > 1 && (
          <Button
            icon={<RotateCcw size={14} aria-hidden />}
            onPress={() => void retryAll.run()}
            isPending={retryAll.isRunning}
          >
            {text.retryAll}
          </Button>
        )}
      </SectionHead>
      <Card bar="failed">
        <ul aria-label={text.title} className="divide-y divide-line">
          {jobs.map((job) => (
            <DeadJobRow
              key={job.jobId}
              job={job}
              mayRetry={mayOperate}
              onRetried={() => section.current?.focus()}
            />
          ))}
        </ul>
        {total > jobs.length && (
          <p className="border-t border-line px-4 py-3 text-xs text-text-2">
            {text.more(format.number(total - jobs.length))}
          </p>
        )}
      </Card>
    </section>
  );
}

type DeadJobRowProps = {
  readonly job: WireDeadJob;
  readonly mayRetry: boolean;
  /** Its row is gone, and with it the button that had the focus. */
  readonly onRetried: () => void;
};

function DeadJobRow({ job, mayRetry, onRetried }: DeadJobRowProps) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const locale = useLocale((chosen) => chosen.locale);
  const retry = useRetry(job.jobId);
  const words = visibleName(jobWords(job.kind, locale));
  return (
    <li className="grid items-start gap-x-6 gap-y-1 px-4 py-3 lg:grid-cols-[minmax(0,4fr)_minmax(0,6fr)_9rem_auto]">
      <div className="min-w-0">
        <h3 className="font-semibold">{words}</h3>
        <Subject job={job} />
      </div>
      {job.error === "" ? (
        <p className="text-xs text-text-3 lg:pt-1">{text.noError}</p>
      ) : (
        <p
          dir="auto"
          className="min-w-0 text-xs break-words whitespace-pre-wrap text-failed lg:pt-1"
        >
          {visible(job.error)}
        </p>
      )}
      <p className="flex flex-wrap gap-x-3 text-xs text-text-2 lg:flex-col lg:pt-1">
        <Ago at={job.givenUpAt} />
        <span className="text-text-3">{text.givenUp(format.number(job.tries))}</span>
      </p>
      {mayRetry && (
        <div className="max-lg:mt-1">
          <Button
            size="small"
            aria-label={text.retryOf(words, job.subjectId)}
            icon={<RotateCcw size={14} aria-hidden />}
            onPress={() => void retry.run().then((isDone) => isDone && onRetried())}
            isPending={retry.isRunning}
          >
            {text.retry}
          </Button>
        </div>
      )}
    </li>
  );
}

const LINK = "font-mono text-xs break-all text-violet hover:underline";

/** What the job is about, as a link where the dashboard has a page for it. */
function Subject({ job: { kind, subjectId } }: Pick<DeadJobRowProps, "job">) {
  const shown = visibleName(subjectId);
  switch (kind) {
    case "agent_settled":
      return (
        <Link to="/agents/$agentId" params={{ agentId: subjectId }} className={LINK}>
          {shown}
        </Link>
      );
    case "task_due":
      return (
        <Link to="/tasks/$taskId" params={{ taskId: subjectId }} className={LINK}>
          {shown}
        </Link>
      );
    case "question_answered":
      return (
        <Link to="/approvals/$approvalId" params={{ approvalId: subjectId }} className={LINK}>
          {shown}
        </Link>
      );
    default:
      return <span className="font-mono text-xs break-all text-text-2">{shown}</span>;
  }
}
