import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import { get } from "../../api/http.ts";
import { SlotRing } from "../../charts/ring.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { type Sections, useSections } from "../../live/sections.ts";
import { type LiveStore, useLive } from "../../live/store.ts";
import { Card } from "../../ui/card.tsx";
import { StatusIcon, type Tone } from "../../ui/status-badge.tsx";
import { useWide } from "../../ui/use-wide.ts";
import { CostToday } from "./cost-today.tsx";
import { TEXTS } from "./texts.ts";

/** Key figures: slots, approvals, blocked tasks, cost. */
export function Summary() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  return (
    <Card
      aria-label={nav.dashboard}
      className="summary mb-5 grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-4 p-4 max-sm:px-3 sm:gap-x-6 xl:grid-cols-[auto_1fr_15rem]"
    >
      <Slots label={text.slots} />
      <div className="@container">
        <h2 className="mb-0.5 text-xs text-text-3">{text.counted}</h2>
        <Counts />
      </div>
      <div className="col-span-2 border-t border-line pt-3 xl:col-span-1 xl:border-t-0 xl:border-l xl:pt-0 xl:pl-5">
        <CostToday />
      </div>
    </Card>
  );
}

const USUAL_SLOTS = 10;

function Slots({ label }: { readonly label: string }) {
  const text = useTexts(TEXTS);
  const { data } = useQuery({
    queryKey: ["config", "system"],
    queryFn: ({ signal }) => get("/api/system", { signal }),
    staleTime: 60_000,
  });
  const taken = useLive(useShallow(tonesOfSlots));
  const orchestrators = useLive(countOrchestrators);
  const isWide = useWide();
  const slots = data?.maxConcurrent ?? USUAL_SLOTS;
  return (
    <div className="flex justify-center">
      <SlotRing
        taken={taken}
        slots={slots}
        size={isWide ? 116 : 92}
        label={text.concurrency(taken.length, slots)}
      >
        <p className="leading-none font-bold">
          <span className="text-2xl">{taken.length}</span>
          <span className="text-xs font-normal text-text-2"> /{data ? slots : "–"}</span>
        </p>
        <p className="mt-1 text-[11px] leading-none text-text-2">{label}</p>
        {orchestrators > 0 && (
          <p className="mt-1 text-[10px] leading-none text-text-3">
            {text.orchestrators(orchestrators)}
          </p>
        )}
      </SlotRing>
    </div>
  );
}

const ORDER: readonly Tone[] = ["running", "pending", "blocked", "reported"];

/** Orchestrators don't occupy these slots. */
function tonesOfSlots({ agents, approvals, tasks }: LiveStore): readonly Tone[] {
  const waiting = new Set([...approvals.values()].map(({ agentId }) => agentId));
  const blocked = new Set<string>();
  for (const task of tasks.values()) if (task.status === "blocked") blocked.add(task.groupId);
  const tones: Tone[] = [];
  for (const agent of agents.values()) {
    if (agent.role === "orchestrator") continue;
    if (agent.status === "resultReported" && agent.endedAt === null && agent.startedAt !== null) {
      tones.push("reported");
    }
    if (agent.status !== "running") continue;
    if (waiting.has(agent.agentId)) tones.push("pending");
    else tones.push(blocked.has(agent.groupId) ? "blocked" : "running");
  }
  return tones.sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
}

function countOrchestrators({ agents }: LiveStore): number {
  let count = 0;
  for (const { role, status } of agents.values()) {
    if (role === "orchestrator" && status === "running") count++;
  }
  return count;
}

function Counts() {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const sections = useSections();
  const sums = useMemo(() => sumUp(sections), [sections]);
  const approvals = useLive((state) => Math.max(state.approvals.size, state.pendingApprovals));
  const blocked = useLive(({ tasks }) => {
    let count = 0;
    for (const { status } of tasks.values()) if (status === "blocked") count++;
    return count;
  });
  return (
    <dl className="grid grid-cols-2 gap-x-3 gap-y-0.5 text-[12.5px] sm:gap-x-5 @2xl:grid-cols-4 sm:gap-y-1 sm:text-[13.5px]">
      <Count status="running" label={agentStatus.running} value={sums.running} />
      <Count status="queued" label={agentStatus.queued} value={sums.queued} />
      <Count status="pending" label={text.approvals} value={approvals} to="/approvals" />
      <Count status="blocked" label={text.blocked} value={blocked} to="/tasks" />
      <Count status="failed" label={agentStatus.failed} value={sums.failed + sums.lost} />
      <Count status="timedOut" label={agentStatus.timedOut} value={sums.timedOut} />
      <Count status="cancelled" label={agentStatus.cancelled} value={sums.cancelled} />
      <Count status="completed" label={agentStatus.completed} value={sums.completed} />
    </dl>
  );
}

type Sums = Record<
  "running" | "queued" | "failed" | "lost" | "timedOut" | "completed" | "cancelled",
  number
>;

function sumUp(sections: Sections): Sums {
  const sums: Sums = {
    running: 0,
    queued: 0,
    failed: 0,
    lost: 0,
    timedOut: 0,
    completed: 0,
    cancelled: 0,
  };
  for (const { counts } of sections.values()) {
    sums.running += counts.running;
    sums.queued += counts.queued;
    sums.failed += counts.failed;
    sums.lost += counts.lost;
    sums.timedOut += counts.timedOut;
    // People count an agent as done once it has reported its result.
    sums.completed += counts.completed + counts.resultReported;
    sums.cancelled += counts.cancelled;
  }
  return sums;
}

function Count({
  status,
  label,
  value,
  to,
}: {
  readonly status: string;
  readonly label: string;
  readonly value: number;
  readonly to?: string;
}) {
  const format = useFormat();
  return (
    <div className="flex items-center justify-between gap-1.5 border-b border-line/70 py-1.5">
      <dt className="flex min-w-0 items-center gap-1 leading-tight text-text-2 sm:gap-2">
        <span className="inline-flex w-4 justify-center [&_*]:animate-none">
          <StatusIcon status={status} />
        </span>
        {to && value > 0 ? (
          <Link to={to} className="hover:text-text hover:underline">
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd
        className={`font-mono text-[16px] font-semibold whitespace-nowrap sm:text-lg ${value === 0 ? "text-text-3" : ""}`}
      >
        {format.number(value)}
      </dd>
    </div>
  );
}
