import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { get } from "../../../api/http.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, ErrorNote, Loading } from "../../../ui/notes.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { WindowList } from "../../../ui/virtual-list.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { useApprovalTitle } from "../approval-title.ts";
import { KindIcon } from "../kind-icon.tsx";
import { APPROVALS } from "../texts.ts";

export type DecidedListProps = {
  readonly status: WireApproval["status"] | "all";
  readonly kind: WireApproval["kind"] | "all";
};

const PER_PAGE = 100;

/** Decided approvals, newest first. */
export function DecidedList({ status, kind }: DecidedListProps) {
  const text = useTexts(APPROVALS);
  const list = useInfiniteQuery({
    queryKey: ["approval", "decided", status, kind],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: PER_PAGE,
        ...(status !== "all" && { status }),
        ...(kind !== "all" && { kind }),
        ...(pageParam && { cursor: pageParam }),
      };
      return get("/api/approvals", { query, signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  if (list.isPending) return <Loading />;
  if (list.isError && !list.data) {
    return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />;
  }
  const found = list.data.pages
    .flatMap(({ approvals }) => approvals)
    .filter((approval) => approval.status !== "pending");
  if (found.length === 0 && !list.hasNextPage) return <EmptyState title={text.emptyDecided} />;
  return (
    <div className="flex flex-col gap-3">
      <WindowList
        count={found.length}
        keyOf={(index) => found[index]?.approvalId ?? index}
        estimate={() => 78}
        render={(index) => {
          const approval = found[index];
          return approval && <DecidedRow approval={approval} />;
        }}
        className="rounded-xl border border-line bg-surface"
      />
      {list.hasNextPage && (
        <Button
          className="self-center"
          onPress={() => void list.fetchNextPage()}
          isPending={list.isFetchingNextPage}
        >
          {text.more}
        </Button>
      )}
    </div>
  );
}

function DecidedRow({ approval }: { readonly approval: WireApproval }) {
  const titleOf = useApprovalTitle();
  const { approvalKind, approvalStatus, quoted } = useTexts(COMMON);
  const nameOf = usePersonName();
  const format = useFormat();
  const { status, decidedBy, decidedAt, createdAt, answer, reason } = approval;
  const reply = answer ?? reason;
  return (
    <Link
      to="/approvals/$approvalId"
      params={{ approvalId: approval.approvalId }}
      className="grid grid-cols-[1fr_auto] items-start gap-x-3 gap-y-0.5 border-b border-line px-4 py-2.5 hover:bg-raised focus-visible:-outline-offset-2"
    >
      <span className="flex min-w-0 items-center gap-2">
        <span className="shrink-0 text-text-3">
          <KindIcon kind={approval.kind} />
        </span>
        <span className="truncate font-semibold">{titleOf(approval)}</span>
      </span>
      <StatusBadge status={status} label={approvalStatus[status]} />
      <span className="col-span-2 flex flex-wrap gap-x-3 text-xs text-text-3">
        <span>{approvalKind[approval.kind]}</span>
        {decidedBy !== null && <span>{nameOf(decidedBy)}</span>}
        <span>{format.dateTime(decidedAt ?? createdAt)}</span>
      </span>
      {reply && (
        <span className="col-span-2 line-clamp-2 text-text-2">{quoted(visiblePreview(reply))}</span>
      )}
    </Link>
  );
}
