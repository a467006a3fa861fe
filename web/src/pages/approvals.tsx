import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import type { WireApproval } from "../../../src/contract/task-shapes.ts";
import { useApprovalTitle } from "../features/approvals/approval-title.ts";
import { DecidedList } from "../features/approvals/inbox/decided-list.tsx";
import { InboxList } from "../features/approvals/inbox/inbox-list.tsx";
import { InboxPane } from "../features/approvals/inbox/inbox-pane.tsx";
import { PhoneCard } from "../features/approvals/inbox/phone-card.tsx";
import { usePending } from "../features/approvals/inbox/use-pending.ts";
import { APPROVALS } from "../features/approvals/texts.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { Button } from "../ui/button.tsx";
import { isTyping } from "../ui/is-typing.ts";
import { EmptyState, Loading } from "../ui/notes.tsx";
import { openOverlay } from "../ui/overlays.ts";
import { Segments } from "../ui/segments.tsx";
import { StatusIcon } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { useWide } from "../ui/use-wide.ts";
import { WindowList } from "../ui/virtual-list.tsx";

const KINDS = [
  "prompt",
  "process",
  "step",
  "unplanned_tool",
  "call",
  "question",
  "outcome",
] as const;
const RESULTS = ["all", "approved", "rejected", "superseded", "expired", "cancelled"] as const;

export function Page() {
  const text = useTexts(APPROVALS);
  const [filters, setFilters] = useFilters();
  const view = filters["view"] === "decided" ? "decided" : "waiting";
  const { approvals, total, rest, loadMore } = usePending();
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-bold">{text.title}</h1>
        <Segments
          label={text.view}
          value={view}
          onChange={(next) =>
            setFilters({ view: next === "decided" ? next : undefined, result: undefined })
          }
          options={[
            { id: "waiting", label: text.waiting, count: total },
            { id: "decided", label: text.decided },
          ]}
        />
        <p className="hidden text-xs text-text-3 lg:ml-auto lg:block">
          {view === "waiting" && text.keys}
        </p>
      </header>
      {view === "waiting" ? (
        <Waiting approvals={approvals} />
      ) : (
        <Decided kind={filters["kind"] ?? "all"} />
      )}
      {view === "waiting" && rest > 0 && (
        <p className="flex flex-wrap items-center gap-3 self-center text-text-2" role="status">
          {text.rest(rest)}
          <Button onPress={() => void loadMore()}>{text.more}</Button>
        </p>
      )}
    </div>
  );
}

function KindFilter({ approvals }: { readonly approvals: readonly WireApproval[] | null }) {
  const text = useTexts(APPROVALS);
  const { approvalKind } = useTexts(COMMON);
  const [filters, setFilters] = useFilters();
  const chosen = KINDS.find((kind) => kind === filters["kind"]) ?? "all";
  const count = (kind: WireApproval["kind"]) =>
    approvals?.filter((approval) => approval.kind === kind).length;
  // Hide kinds without pending approvals.
  const kinds = KINDS.filter((kind) => count(kind) !== 0 || kind === chosen);
  return (
    <Segments
      label={text.kind}
      value={chosen}
      onChange={(kind) => setFilters({ kind: kind === "all" ? undefined : kind, id: undefined })}
      options={[
        { id: "all" as const, label: text.all, count: approvals?.length },
        ...kinds.map((kind) => ({ id: kind, label: approvalKind[kind], count: count(kind) })),
      ]}
    />
  );
}

function Waiting({ approvals }: { readonly approvals: readonly WireApproval[] }) {
  const text = useTexts(APPROVALS);
  const [filters, setFilters] = useFilters();
  const isKnown = useLive(({ connection }) => connection.asOf !== null);
  const isWide = useWide();
  // Kept here, because the list unmounts with its last item.
  const [last, setLast] = useState<WireApproval | null>(null);
  const kind = filters["kind"];
  const shown = kind ? approvals.filter((approval) => approval.kind === kind) : approvals;
  if (!isKnown) return <Loading />;
  if (approvals.length === 0) {
    return (
      <>
        <LastDecided last={last} />
        <EmptyState
          title={text.emptyTitle}
          action={
            <Button look="violet" onPress={() => openOverlay({ kind: "new-task" })}>
              {text.newTask}
            </Button>
          }
        >
          {text.empty}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <LastDecided last={last} />
      <KindFilter approvals={approvals} />
      {shown.length === 0 ? (
        <EmptyState
          title={text.emptyKind}
          action={<Button onPress={() => setFilters({ kind: undefined })}>{text.showAll}</Button>}
        />
      ) : isWide ? (
        <Inbox approvals={shown} onDecided={setLast} />
      ) : (
        <WindowList
          count={shown.length}
          keyOf={(index) => shown[index]?.approvalId ?? index}
          estimate={() => 190}
          render={(index) => {
            const approval = shown[index];
            return approval && <PhoneCard approval={approval} />;
          }}
        />
      )}
    </>
  );
}

/** Ignore keys shortly after a decision: a second A would approve something unread. */
const PAUSE_MS = 1_000;

type InboxProps = {
  readonly approvals: readonly WireApproval[];
  readonly onDecided: (after: WireApproval) => void;
};

function Inbox({ approvals, onDecided }: InboxProps) {
  const [filters, setFilters] = useFilters();
  const navigate = useNavigate();
  const [place, setPlace] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const wanted = approvals.findIndex(({ approvalId }) => approvalId === filters["id"]);
  // After a decision, select the next one.
  const at = wanted >= 0 ? wanted : Math.min(place, approvals.length - 1);
  const selected = approvals[at];
  useEffect(() => {
    if (wanted >= 0) setPlace(wanted);
  }, [wanted]);
  useEffect(() => {
    if (!isPaused) return;
    const timer = setTimeout(() => setPaused(false), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isPaused]);
  const select = (id: string | undefined) => id !== undefined && setFilters({ id });
  const open = (approvalId: string) =>
    void navigate({ to: "/approvals/$approvalId", params: { approvalId } });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "j") select(approvals[Math.min(at + 1, approvals.length - 1)]?.approvalId);
    if (key === "k") select(approvals[Math.max(at - 1, 0)]?.approvalId);
    if (key === "enter" && selected && event.target === document.body) open(selected.approvalId);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return (
    <div className="grid grid-cols-[minmax(260px,340px)_minmax(0,1fr)] items-start gap-4">
      <InboxList
        approvals={approvals}
        selectedId={selected?.approvalId}
        onSelect={select}
        onOpen={open}
      />
      {selected && (
        <InboxPane
          key={selected.approvalId}
          approval={selected}
          keys={!isPaused}
          onDecided={(after) => {
            onDecided(after);
            setPaused(true);
          }}
        />
      )}
    </div>
  );
}

/** The last decision; its item has already left the list. */
function LastDecided({ last }: { readonly last: WireApproval | null }) {
  const titleOf = useApprovalTitle();
  const text = useTexts(APPROVALS);
  return (
    <div role="status" className="empty:hidden">
      {last && last.status !== "pending" && (
        <p className="flex animate-appear items-center gap-2 rounded-lg border border-line bg-surface px-3 py-1.5 text-text-2">
          <StatusIcon status={last.status} />
          <span className="min-w-0 truncate">
            {last.status === "approved"
              ? text.approvedNote(titleOf(last))
              : text.rejectedNote(titleOf(last))}
          </span>
          {last.taskId !== null && (
            <Link
              to="/tasks/$taskId"
              params={{ taskId: last.taskId }}
              className="ml-auto shrink-0 text-violet hover:underline"
            >
              {text.openTask}
            </Link>
          )}
        </p>
      )}
    </div>
  );
}

function Decided({ kind }: { readonly kind: string }) {
  const text = useTexts(APPROVALS);
  const { approvalStatus } = useTexts(COMMON);
  const [filters, setFilters] = useFilters();
  const result = RESULTS.find((each) => each === filters["result"]) ?? "all";
  return (
    <>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Segments
          label={text.result}
          value={result}
          onChange={(next) => setFilters({ result: next === "all" ? undefined : next })}
          options={RESULTS.map((id) => ({
            id,
            label: id === "all" ? text.all : approvalStatus[id],
          }))}
        />
        <KindFilter approvals={null} />
      </div>
      <DecidedList status={result} kind={kind} />
    </>
  );
}
