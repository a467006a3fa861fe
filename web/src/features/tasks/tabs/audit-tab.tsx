import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WireAudit } from "../../../../../src/contract/shapes/audit.ts";
import { get } from "../../../api/http.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Loading } from "../../../ui/notes.tsx";
import { EntryDetails } from "../../people/audit/entry-details.tsx";
import { useAuditSentence } from "../../people/audit/use-audit-sentence.ts";
import { TASK } from "../detail/texts.ts";

/** Limits the number of requests: there is one per subject. */
const MAX_EACH = 25;

/** Audit entries of the task, its approvals and its calls, newest first. */
export function AuditTab({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const found = useQueries({
    queries: subjectsOf(task).map(({ id, state }) => ({
      // Query again only when the subject has changed.
      queryKey: ["audit", id, state],
      queryFn: () => get("/api/audit", { query: { subject: id, limit: 100 } }),
    })),
  });
  if (found.some(({ isPending }) => isPending)) return <Loading />;
  const entries = found.flatMap(({ data }) => data?.entries ?? []).sort((a, b) => b.seq - a.seq);
  if (entries.length === 0) return <p className="py-4 text-text-3">{text.noAudit}</p>;
  return (
    <div className="flex flex-col gap-2">
      <div
        className="max-h-[30rem] overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label={text.audit}
      >
        <ol className="flex flex-col">
          {entries.map((entry) => (
            <li key={entry.seq} className="border-b border-line py-1.5">
              <Entry entry={entry} />
            </li>
          ))}
        </ol>
      </div>
      <Link
        to="/audit"
        search={{ subject: task.taskId }}
        className="self-end text-xs text-violet hover:underline"
      >
        {text.auditAll}
      </Link>
    </div>
  );
}

function subjectsOf({ taskId, version, approvals, toolCalls }: TaskDetail) {
  return [
    { id: taskId, state: String(version) },
    ...approvals.slice(0, MAX_EACH).map(({ approvalId, status, votes }) => ({
      id: approvalId,
      state: `${status} ${votes.length}`,
    })),
    ...toolCalls.slice(-MAX_EACH).map(({ callId, status }) => ({ id: callId, state: status })),
  ];
}

function Entry({ entry }: { readonly entry: WireAudit }) {
  const format = useFormat();
  const sentenceOf = useAuditSentence();
  return (
    <details>
      <summary className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2">
        <time dateTime={entry.at} className="font-mono text-[11px] text-text-3">
          {format.time(entry.at)}
        </time>
        <span dir="auto">{sentenceOf(entry)}</span>
      </summary>
      <div className="mt-1 rounded-lg bg-base p-2">
        <p className="mb-1 font-mono text-[11px] text-text-3">#{entry.seq}</p>
        <EntryDetails entry={entry} />
      </div>
    </details>
  );
}
