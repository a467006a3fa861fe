import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WireComment } from "../../../../src/contract/shapes/changes.ts";
import { post } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { EmptyState } from "../../ui/notes.tsx";
import { Select } from "../../ui/select.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useAction } from "../../ui/use-action.ts";
import { Discard } from "./actions/discard.tsx";
import { PullRequest } from "./actions/pull-request.tsx";
import { SendBack } from "./actions/send-back.tsx";
import { AttentionNotes } from "./attention-notes.tsx";
import { type Change, usePatchesOfChange } from "./change-data.ts";
import { CommentCard } from "./comments/comment-card.tsx";
import { CommentField } from "./comments/comment-field.tsx";
import { CommentList, whereText } from "./comments/comment-list.tsx";
import type { LineRange } from "./diff/cursor.ts";
import { DiffPane } from "./diff/diff-pane.tsx";
import type { Mark } from "./diff/diff-view.tsx";
import { LineCounts } from "./diff/file-status.tsx";
import { canCancel } from "./merges/merge-actions.ts";
import { MergeButton } from "./merges/merge-dialog.tsx";
import { MergeList } from "./merges/merge-list.tsx";
import { OverlapList } from "./overlaps/overlap-list.tsx";
import { CHANGES } from "./texts.ts";

export type ReviewProps = {
  readonly change: Change;
  readonly onVersion: (version: number | undefined) => void;
};

/** The review of one change: read, comment, send back, merge or discard. */
export function Review({ change, onVersion }: ReviewProps) {
  const text = useTexts(CHANGES);
  const { workspace, version } = change;
  const isAtWork = isWorking(workspace.status);
  return (
    <div className="flex flex-col gap-3">
      <Head change={change} onVersion={onVersion} />
      {version > 0 && version < workspace.version && (
        <p className="text-timeout">{text.oldVersion(version)}</p>
      )}
      {isAtWork && version > 0 && <p className="text-text-2">{text.working}</p>}
      <AttentionNotes attention={workspace.attention} />
      <MergeList merges={change.merges} />
      <OverlapList overlaps={change.overlaps} of={workspace.agentId} />
      {version === 0 ? (
        <EmptyState title={text.nothingYet}>{text.nothingYetBody}</EmptyState>
      ) : change.files.length === 0 ? (
        <EmptyState title={text.noFiles}>{!isAtWork && text.noFilesBody}</EmptyState>
      ) : (
        <Diffs key={`${workspace.workspaceId} ${version}`} change={change} />
      )}
    </div>
  );
}

function isWorking(status: Change["workspace"]["status"]): boolean {
  return status === "planned" || status === "preparing" || status === "ready";
}

function Head({ change, onVersion }: ReviewProps) {
  const text = useTexts(CHANGES);
  const format = useFormat();
  const { workspace, version, versions } = change;
  const shown = versions.find((each) => each.version === version) ?? workspace;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-[24rem] flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={workspace.outcome} label={text.outcomes[workspace.outcome]} />
        <span className="inline-flex items-baseline gap-2">
          {text.fileCount(format.number(shown.files))}
          <LineCounts added={shown.added} removed={shown.removed} />
        </span>
        <span className="text-xs text-text-3">
          {text.onBranch}{" "}
          <code className="font-mono break-all">{visibleName(workspace.branch)}</code>
          {workspace.target !== null && (
            <>
              {" "}
              → <code className="font-mono break-all">{visibleName(workspace.target)}</code>
            </>
          )}
          {" · "}
          {text.from} <code className="font-mono break-all">{visibleName(workspace.basedOn)}</code>
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        {versions.length > 1 && (
          <Select
            label={text.version}
            hideLabel
            value={String(version)}
            options={versions.toReversed().map((each) => ({
              id: String(each.version),
              label: text.versionName(each.version, format.dateTime(each.at)),
            }))}
            onChange={(id) => onVersion(Number(id) === workspace.version ? undefined : Number(id))}
          />
        )}
        <Actions change={change} />
      </div>
    </div>
  );
}

/** Only for the newest version of an undecided change, while no agent writes to it. */
function Actions({ change }: { readonly change: Change }) {
  const mayOperate = useMayOperate();
  const { workspace, version, merges, pullRequest } = change;
  const isOpen = workspace.outcome === "open" && !isWorking(workspace.status);
  if (!mayOperate || !isOpen || version === 0 || version !== workspace.version) return null;
  const isMerging = merges.some(({ status }) => canCancel(status));
  return (
    <>
      <Discard change={change} />
      {pullRequest && change.files.length > 0 && (
        <PullRequest change={change} tool={pullRequest.tool} />
      )}
      <SendBack change={change} />
      {!isMerging && change.files.length > 0 && <MergeButton change={change} />}
    </>
  );
}

/** A comment that is being written; kept here, because its field leaves the page when it scrolls away. */
type Draft = { readonly range: LineRange; readonly body: string };

function Diffs({ change }: { readonly change: Change }) {
  const { workspace, version, files, comments } = change;
  const text = useTexts(CHANGES);
  const mayOperate = useMayOperate();
  const client = useQueryClient();
  const source = usePatchesOfChange(workspace.workspaceId, version);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [goTo, setGoTo] = useState<LineRange | { readonly path: string } | null>(null);
  // The event of the comment refreshes the others; this one shows what the person did at once.
  const refresh = () => void client.invalidateQueries({ queryKey: ["change"] });
  const add = useAction(async ({ path, side, line, endLine }: LineRange, body: string) => {
    await post("/api/changes/{id}/comments", {
      params: { id: workspace.workspaceId },
      body: { version, path, side, line, endLine, body },
    });
    setDraft(null);
    refresh();
  });
  const canComment = mayOperate && workspace.outcome === "open" && version === workspace.version;
  const threadOf = (path: string, mark: Mark, inThread: readonly WireComment[]) => (
    <div className="flex max-w-3xl flex-col gap-2 p-2">
      {inThread.map((comment) => (
        <CommentCard key={comment.commentId} comment={comment} onChanged={refresh} />
      ))}
      {draft && isAt(draft.range, path, mark) && (
        <div className="rounded-lg border border-violet bg-surface p-2.5">
          <CommentField
            label={text.comments.newOn(
              `${visibleName(path)} ${whereText(draft.range, text.comments)}`,
            )}
            initial={draft.body}
            send={text.comments.save}
            isSending={add.isRunning}
            onChange={(body) => setDraft({ ...draft, body })}
            onSend={(body) => void add.run(draft.range, body)}
            onCancel={() => setDraft(null)}
          />
        </div>
      )}
    </div>
  );
  return (
    <DiffPane
      source={source}
      files={files}
      comments={comments}
      editing={draft?.range ?? null}
      onComment={canComment ? (range) => setDraft({ range, body: "" }) : undefined}
      renderThread={threadOf}
      goTo={goTo}
      aside={
        <CommentList
          comments={comments}
          canComment={canComment}
          onGoTo={(place) => setGoTo({ ...place })}
          onChanged={refresh}
        />
      }
    />
  );
}

function isAt(range: LineRange, path: string, mark: Mark): boolean {
  return range.path === path && range.side === mark.side && range.endLine === mark.line;
}
