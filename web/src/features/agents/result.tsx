import { TriangleAlert } from "lucide-react";
import { useFormat } from "../../i18n/format.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { RehearsalMark } from "./rehearsal-mark.tsx";
import { RESULT } from "./result-texts.ts";

const STATUS = {
  success: "completed",
  failure: "failed",
  timeout: "timedOut",
  cancelled: "cancelled",
} as const;

/** The agent's report, or what was observed if there is none. */
export function Result({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(RESULT);
  const { result } = agent;
  if (!result) return <EmptyState title={text.none} />;
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center gap-3">
        <StatusBadge status={STATUS[result.status]} label={text.status[result.status]} />
        {result.rehearsal && <RehearsalMark />}
        <Ago at={result.timestamp} className="text-xs text-text-3" />
        {agent.status !== "resultReported" && (
          <span className="text-xs text-text-3">{text.observed}</span>
        )}
      </div>
      {result.summary && (
        <Part title={text.summary}>
          <LongText text={result.summary} lines={10} className="font-semibold" />
        </Part>
      )}
      {result.errorMessage && (
        <Part title={text.error}>
          {result.failure && <FailureKind failure={result.failure} />}
          <LongText text={result.errorMessage} lines={12} mono className="text-failed" />
        </Part>
      )}
      <Warnings warnings={result.warnings ?? []} />
      {result.response && (
        <Part title={text.report}>
          <Markdown text={result.response} />
        </Part>
      )}
    </Card>
  );
}

type Failure = NonNullable<NonNullable<AgentDetail["result"]>["failure"]>;

function FailureKind({ failure }: { readonly failure: Failure }) {
  const text = useTexts(RESULT);
  const format = useFormat();
  return (
    <p className="mb-1 font-semibold">
      {text.failure[failure.kind]}
      {failure.resetsAt && (
        <span className="ml-2 font-normal text-timeout">
          {text.resetsAt(format.dateTime(failure.resetsAt))}
        </span>
      )}
    </p>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-1 text-xs text-text-3">{title}</h2>
      {children}
    </section>
  );
}

export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const text = useTexts(RESULT);
  const inWords = useReason();
  if (warnings.length === 0) return null;
  return (
    <Part title={text.warnings}>
      <ul className="flex flex-col gap-1">
        {warnings.map((warning, index) => (
          <li key={index} className="flex gap-2 text-timeout">
            <TriangleAlert size={14} aria-hidden className="mt-1 shrink-0" />
            <span className="min-w-0">{inWords(warning)}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
