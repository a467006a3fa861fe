import { lazy, Suspense } from "react";
import type { WireProcess, WirePrompt } from "../../../api/task-detail.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { StepsDiff } from "../../approvals/content/steps-diff.tsx";
import { StepsList } from "../../approvals/content/steps-list.tsx";

const WordDiff = lazy(async () => ({
  default: (await import("../../../ui/word-diff.tsx")).WordDiff,
}));

export type Draft = WirePrompt | WireProcess;

export function Content({ draft }: { readonly draft: Draft }) {
  return "content" in draft ? (
    <LongText text={draft.content} full={draft.status === "pending_approval"} lines={5} />
  ) : (
    <StepsList steps={draft.steps} />
  );
}

export function Compared({ before, after }: { readonly before: Draft; readonly after: Draft }) {
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
