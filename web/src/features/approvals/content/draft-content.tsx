import { lazy, Suspense, useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { useTask } from "../../../api/use-task.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { APPROVALS } from "../texts.ts";
import { ApprovalContent } from "./content.tsx";
import { numberIn, stepsIn, textIn } from "./shown.ts";
import { StepsDiff } from "./steps-diff.tsx";

const WordDiff = lazy(async () => ({
  default: (await import("../../../ui/word-diff.tsx")).WordDiff,
}));

/** The content of an approval; for a redraft, its changes. */
export function DraftContent({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(APPROVALS);
  const nameOf = usePersonName();
  const version = numberIn(approval.shown, "version") ?? 1;
  const content = textIn(approval.shown, "content") ?? "";
  const isDraft = approval.kind === "prompt" || approval.kind === "process";
  const task = useTask(isDraft && version > 1 ? approval.taskId : null);
  const drafts = approval.kind === "prompt" ? task.data?.prompts : task.data?.processes;
  const previous = drafts?.findLast((draft) => draft.version < version);
  const [view, setView] = useState<"diff" | "whole">("diff");
  // Comparing a truncated text would show its rest as removed.
  if (!previous || approval.clipped) return <ApprovalContent approval={approval} />;
  return (
    <div className="flex flex-col gap-4">
      {previous.reason !== null && (
        <div className="border-l-2 border-failed pl-3">
          <p className="text-xs text-text-3">
            {text.previousReason(previous.version, nameOf(previous.decidedBy))}
          </p>
          <LongText text={previous.reason} lines={6} />
        </div>
      )}
      <Segments
        label={text.compare(previous.version, version)}
        value={view}
        onChange={setView}
        options={[
          { id: "diff", label: text.showDiff },
          { id: "whole", label: text.showWhole },
        ]}
      />
      {view === "whole" ? (
        <ApprovalContent approval={approval} />
      ) : (
        <div>
          <p className="mb-1 text-xs font-semibold text-text-3">
            {text.compare(previous.version, version)}
          </p>
          {"content" in previous ? (
            // The text stays visible while the diff is loading, because it can be approved meanwhile.
            <Suspense fallback={<LongText text={content} full />}>
              <WordDiff before={previous.content} after={content} />
            </Suspense>
          ) : (
            <StepsDiff before={previous.steps} after={stepsIn(approval.shown)} />
          )}
        </div>
      )}
    </div>
  );
}
