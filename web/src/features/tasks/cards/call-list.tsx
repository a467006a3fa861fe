import type { WireToolCall } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Arguments } from "../../../ui/arguments.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Elapsed } from "../../../ui/times.tsx";
import { TASK } from "../detail/texts.ts";

const SHOWN_AS: Record<WireToolCall["status"], string> = {
  forwarded: "running",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
  outcome_unknown: "outcome_unknown",
};
const MAX_CALLS = 50;

/** Upstream tool calls with their exact arguments. */
export function CallList({ calls }: { readonly calls: readonly WireToolCall[] }) {
  const text = useTexts(TASK);
  return (
    <ul className="flex flex-col gap-2">
      {calls.slice(-MAX_CALLS).map((call) => (
        <li key={call.callId} className="rounded-lg border border-line bg-base p-2.5">
          <p className="mb-1.5 flex flex-wrap items-center gap-2">
            <code className="font-mono text-xs font-semibold">
              {visibleName(call.server === "" ? call.tool : `${call.server}/${call.tool}`)}
            </code>
            <StatusBadge status={SHOWN_AS[call.status]} label={text.callStatus[call.status]} />
            <span className="ml-auto font-mono text-xs text-text-3">
              <Elapsed from={call.startedAt} to={call.endedAt} />
            </span>
          </p>
          <Arguments value={parsed(call.args)} />
          {call.error !== null && (
            <LongText text={call.error} lines={4} mono className="mt-1.5 text-failed" />
          )}
        </li>
      ))}
    </ul>
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
