import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Clock } from "lucide-react";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import { get, post } from "../api/http.ts";
import { useMayOperate } from "../api/use-me.ts";
import { useApprovalTitle } from "../features/approvals/approval-title.ts";
import { DraftContent } from "../features/approvals/content/draft-content.tsx";
import { ApprovalMeta } from "../features/approvals/content/meta.tsx";
import { Decided, Decision } from "../features/approvals/decision/decision.tsx";
import { ShareApproval } from "../features/approvals/share-approval.tsx";
import { TaskLink } from "../features/approvals/task-link.tsx";
import { APPROVALS } from "../features/approvals/texts.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Menu } from "../ui/menu.tsx";
import { MonoId } from "../ui/mono-id.tsx";
import { Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { PhoneBar } from "../ui/phone-bar.tsx";
import { StatusBadge, toneOf } from "../ui/status-badge.tsx";
import { Countdown } from "../ui/times.tsx";
import { useAction } from "../ui/use-action.ts";
import { useWide } from "../ui/use-wide.ts";

export function Page() {
  const { approvalId = "" } = useParams({ strict: false });
  const found = useQuery({
    queryKey: ["approval", approvalId],
    queryFn: ({ signal }) => get("/api/approvals/{id}", { params: { id: approvalId }, signal }),
  });
  if (found.data) return <Detail approval={found.data} />;
  if (found.isError) {
    return (
      <>
        <Back />
        <PageError error={found.error} reset={() => void found.refetch()} />
      </>
    );
  }
  return <Loading />;
}

function Back() {
  const text = useTexts(APPROVALS);
  return (
    <Link
      to="/approvals"
      className="mb-3 inline-flex items-center gap-1.5 text-text-2 hover:text-text"
    >
      <ArrowLeft size={14} aria-hidden />
      {text.back}
    </Link>
  );
}

function Detail({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(APPROVALS);
  const { approvalKind, approvalStatus } = useTexts(COMMON);
  const title = useApprovalTitle()(approval);
  const isWide = useWide();
  const mayOperate = useMayOperate();
  const { status, taskId, kind } = approval;
  const isOpen = status === "pending";
  // A free-text answer needs room, so its field stays with the content.
  const isInBar = isOpen && !isWide && !(kind === "question" && approval.choices.length === 0);
  return (
    <div className="mx-auto max-w-3xl">
      <Back />
      <Card bar={toneOf(status)} aria-label={title}>
        <header className="p-4 lg:p-6 lg:pb-4">
          <div className="flex flex-wrap items-center gap-2">
            <StatusBadge status={status} label={approvalStatus[status]} />
            <span className="text-text-2">{approvalKind[kind]}</span>
            <span className="ml-auto flex flex-wrap gap-2">
              {isOpen && mayOperate && <Extend approval={approval} />}
              <ShareApproval approval={approval} />
            </span>
          </div>
          <h1 className="mt-2 mb-1 text-xl leading-snug font-bold">{title}</h1>
          {taskId !== null && <TaskLink taskId={taskId} />}
          <div className="mt-3">
            <ApprovalMeta approval={approval} />
          </div>
        </header>
        <div className="border-t border-line p-4 lg:p-6">
          <DraftContent approval={approval} />
        </div>
        <footer className="border-t border-line bg-raised/60 p-4 lg:px-6">
          {!isOpen && <Decided approval={approval} />}
          {isOpen && !isInBar && <Decision approval={approval} keys size="large" />}
          <p className="mt-2 flex flex-wrap items-center gap-x-2 text-xs text-text-3">
            {text.hash}
            <MonoId id={approval.shownHash} />
          </p>
        </footer>
      </Card>
      {isInBar && (
        <PhoneBar>
          <p className="mb-2 flex justify-between gap-3 text-xs text-text-2">
            <span className="truncate">{title}</span>
            {approval.expiresAt !== null && (
              <span className="shrink-0">
                {text.deadline} <Countdown at={approval.expiresAt} />
              </span>
            )}
          </p>
          <Decision approval={approval} size="large" fill />
        </PhoneBar>
      )}
    </div>
  );
}

const HOUR_MS = 3_600_000;

/** Extends the deadline, if there is one. */
function Extend({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(APPROVALS);
  const { expiresAt, approvalId, version } = approval;
  const extend = useAction((ms: number) =>
    post("/api/approvals/{id}/extend", {
      params: { id: approvalId },
      body: {
        version,
        expiresAt: new Date(Date.parse(expiresAt ?? "") + ms).toISOString(),
      },
    }),
  );
  if (expiresAt === null) return null;
  const by = (id: "hour" | "day" | "week", hours: number) => ({
    id,
    label: text[id],
    run: () => void extend.run(hours * HOUR_MS),
  });
  return (
    <Menu
      label={text.extend}
      trigger={
        <Button
          size="small"
          look="ghost"
          icon={<Clock size={13} aria-hidden />}
          isDisabled={extend.isRunning}
        >
          {text.extend}
        </Button>
      }
      actions={[by("hour", 1), by("day", 24), by("week", 24 * 7)]}
    />
  );
}
