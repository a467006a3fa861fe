import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { isTyping } from "../../../ui/is-typing.ts";
import { useFilters } from "../../../ui/use-filters.ts";
import { InboxList } from "./inbox-list.tsx";
import { InboxPane } from "./inbox-pane.tsx";

/** Ignore keys shortly after a decision: a second A would approve something unread. */
const PAUSE_MS = 1_000;

type InboxProps = {
  readonly approvals: readonly WireApproval[];
  readonly onDecided: (after: WireApproval) => void;
};

export function Inbox({ approvals, onDecided }: InboxProps) {
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
