import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useLive } from "../../../live/store.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, Loading } from "../../../ui/notes.tsx";
import { openOverlay } from "../../../ui/overlays.ts";
import { StatusIcon } from "../../../ui/status-badge.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { useWide } from "../../../ui/use-wide.ts";
import { WindowList } from "../../../ui/virtual-list.tsx";
import { useApprovalTitle } from "../approval-title.ts";
import { APPROVALS } from "../texts.ts";
import { Inbox } from "./inbox.tsx";
import { KindFilter } from "./kind-filter.tsx";
import { PhoneCard } from "./phone-card.tsx";

export function Waiting({ approvals }: { readonly approvals: readonly WireApproval[] }) {
  const text = useTexts(APPROVALS);
  const mayOperate = useMayOperate();
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
            mayOperate && (
              <Button look="violet" onPress={() => openOverlay({ kind: "new-task" })}>
                {text.newTask}
              </Button>
            )
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
