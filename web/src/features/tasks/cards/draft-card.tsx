import { ChevronDown, ChevronUp, FileText, GitCompare, ListChecks } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ToggleButton } from "react-aria-components";
import type { TaskDetail, WireProcess, WirePrompt } from "../../../api/task-detail.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { StepsDiff } from "../../approvals/content/steps-diff.tsx";
import { StepsList } from "../../approvals/content/steps-list.tsx";
import { Decision } from "../../approvals/decision/decision.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { TASK, type TaskPageWords } from "../detail/texts.ts";
import { type CardState, draftState } from "./card-state.ts";
import { DraftHistory } from "./draft-history.tsx";
import { Failure } from "./failure.tsx";
import { StageCard } from "./stage-card.tsx";

const WordDiff = lazy(async () => ({
  default: (await import("../../../ui/word-diff.tsx")).WordDiff,
}));

export type DraftCardProps = {
  readonly task: TaskDetail;
  readonly kind: "prompt" | "process";
  /** Its buttons are in the bar of a phone. */
  readonly isDecidedInBar: boolean;
};

type Draft = WirePrompt | WireProcess;

/** L2 and L3: a draft with its versions and their decisions. */
export function DraftCard({ task, kind, isDecidedInBar }: DraftCardProps) {
  const text = useTexts(TASK);
  const nameOf = usePersonName();
  const format = useFormat();
  const drafts: readonly Draft[] = kind === "prompt" ? task.prompts : task.processes;
  const newest = drafts.at(-1);
  const state = draftState(task, kind, newest);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isCompared, setCompared] = useState<boolean | null>(null);
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const shown = drafts.find(({ version }) => version === chosen) ?? newest;
  const before = drafts.findLast(({ version }) => version < (shown?.version ?? 0));
  const approval = task.approvals.find(({ approvalId }) => approvalId === newest?.approvalId);
  // Once it is being carried out, what counts is the execution.
  const isFolded = !(isOpen ?? !(state === "approved" && task.executions.length > 0));
  const isDiff = before !== undefined && (isCompared ?? state === "pending");
  const hasBody = drafts.length > 0;
  return (
    <StageCard
      level={kind === "prompt" ? "L2" : "L3"}
      icon={kind === "prompt" ? <FileText size={15} /> : <ListChecks size={15} />}
      title={kind === "prompt" ? text.l2 : text.l3}
      state={state}
      badge={badgeOf(state, text)}
      isUrgent={state === "pending"}
      side={
        hasBody && (
          <>
            {isFolded && newest?.decidedAt && (
              <span className="text-xs text-text-2">
                {text.approvedLine(
                  newest.version,
                  nameOf(newest.decidedBy),
                  format.time(newest.decidedAt),
                )}
              </span>
            )}
            {!isFolded && drafts.length > 1 && (
              <>
                <Versions drafts={drafts} shown={shown} onChoose={setChosen} />
                {before && (
                  <ToggleButton
                    isSelected={isDiff}
                    onChange={setCompared}
                    className="inline-flex min-h-7 items-center gap-1.5 rounded-lg border border-line px-2 text-xs text-text-2 hover:border-field selected:border-violet selected:bg-violet-solid/20 selected:text-violet"
                  >
                    <GitCompare size={13} aria-hidden />
                    {text.diff}
                  </ToggleButton>
                )}
              </>
            )}
            <IconButton
              size="small"
              label={isFolded ? text.open : text.close}
              aria-expanded={!isFolded}
              onPress={() => setOpen(isFolded)}
            >
              {isFolded ? (
                <ChevronDown size={14} aria-hidden />
              ) : (
                <ChevronUp size={14} aria-hidden />
              )}
            </IconButton>
          </>
        )
      }
    >
      {state === "failed" && <Failure task={task} />}
      {state === "generating" && (
        <p className="text-generating">
          {newest
            ? text.generatingNext(newest.version + 1)
            : kind === "prompt"
              ? text.generatingPrompt
              : text.generatingProcess}
        </p>
      )}
      {state === "idle" && (
        <p className="text-text-3">{kind === "prompt" ? text.notYetL2 : text.notYetL3}</p>
      )}
      {state === "cancelled" && <p className="text-text-3">{text.cancelledTask}</p>}
      {shown && !isFolded && (
        <>
          <div className={cx(shown.status === "rejected" && !isDiff && "text-text-3")}>
            {isDiff ? <Compared before={before} after={shown} /> : <Content draft={shown} />}
          </div>
          <DraftHistory drafts={drafts} />
          {approval?.status === "pending" && shown === newest && !isDecidedInBar && (
            <div className="border-t border-line pt-3">
              <Decision approval={approval} keys />
            </div>
          )}
        </>
      )}
    </StageCard>
  );
}

function badgeOf(state: CardState, text: TaskPageWords): string {
  switch (state) {
    case "idle":
      return text.notYet;
    case "generating":
      return text.generating;
    case "pending":
      return text.pending;
    case "rejected":
      return text.rejected;
    case "failed":
      return text.failed;
    case "blocked":
    case "cancelled":
      return text.cancelled;
    case "approved":
    case "running":
    case "completed":
      return text.approved;
  }
}

function Versions({
  drafts,
  shown,
  onChoose,
}: {
  readonly drafts: readonly Draft[];
  readonly shown: Draft | undefined;
  readonly onChoose: (version: number) => void;
}) {
  const text = useTexts(TASK);
  return (
    <div
      role="group"
      aria-label={text.versions}
      className="flex overflow-hidden rounded-lg border border-line"
    >
      {drafts.map(({ version, status }) => (
        <button
          key={version}
          type="button"
          aria-pressed={version === shown?.version}
          onClick={() => onChoose(version)}
          className={cx(
            "min-h-7 px-2 font-mono text-xs focus-visible:-outline-offset-2",
            status === "rejected" && "line-through",
            version === shown?.version
              ? "bg-violet-solid/25 text-text"
              : "text-text-3 hover:text-text",
          )}
        >
          {text.versionOf(version)}
        </button>
      ))}
    </div>
  );
}

function Content({ draft }: { readonly draft: Draft }) {
  return "content" in draft ? (
    <LongText text={draft.content} full={draft.status === "pending_approval"} lines={5} />
  ) : (
    <StepsList steps={draft.steps} />
  );
}

function Compared({ before, after }: { readonly before: Draft; readonly after: Draft }) {
  if ("content" in before && "content" in after) {
    return (
      <Suspense fallback={<LongText text={after.content} full />}>
        <WordDiff before={before.content} after={after.content} />
      </Suspense>
    );
  }
  if ("steps" in before && "steps" in after) {
    return <StepsDiff before={before.steps} after={after.steps} />;
  }
  return null;
}
