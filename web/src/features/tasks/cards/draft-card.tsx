import { FileText, ListChecks } from "lucide-react";
import { useState } from "react";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { Decision } from "../../approvals/decision/decision.tsx";
import { TASK, type TaskPageWords } from "../detail/texts.ts";
import { type CardState, draftState } from "./card-state.ts";
import { type Draft, Content, Compared } from "./draft-content.tsx";
import { DraftControls } from "./draft-controls.tsx";
import { DraftHistory } from "./draft-history.tsx";
import { Failure } from "./failure.tsx";
import { StageCard } from "./stage-card.tsx";

export type DraftCardProps = {
  readonly task: TaskDetail;
  readonly kind: "prompt" | "process";
  /** Its buttons are in the bar of a phone. */
  readonly isDecidedInBar: boolean;
};

/** A draft, of the prompt or of the steps, with its versions and their decisions. */
export function DraftCard({ task, kind, isDecidedInBar }: DraftCardProps) {
  const text = useTexts(TASK);
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
  return (
    <StageCard
      icon={kind === "prompt" ? <FileText size={15} /> : <ListChecks size={15} />}
      title={kind === "prompt" ? text.promptCard : text.stepsCard}
      state={state}
      badge={badgeOf(state, text)}
      isUrgent={state === "pending"}
      side={
        drafts.length > 0 && (
          <DraftControls
            drafts={drafts}
            shown={shown}
            isFolded={isFolded}
            onFold={(fold) => setOpen(!fold)}
            onChoose={setChosen}
            isDiff={isDiff}
            onCompare={before ? setCompared : null}
          />
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
        <p className="text-text-3">{kind === "prompt" ? text.notYetPrompt : text.notYetSteps}</p>
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
