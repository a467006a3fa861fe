import { retryUntilDone } from "../../base/retry-until-done.ts";
import type { Core } from "../core.ts";
import { groupOfStageQuestion, releaseStage } from "./ask-about-stage.ts";

/** Starts the agents of a stage once a person has said which of the conflicting changes to use. */
export function releaseAnsweredStages(core: Core): () => void {
  async function release(approvalId: string): Promise<void> {
    const approval = await core.store.getApproval(approvalId);
    const groupId = approval && groupOfStageQuestion(approval);
    if (groupId) await releaseStage(core, groupId);
  }
  return core.events.onOwn(
    ["approval:decided", "approval:expired", "approval:closed"],
    ({ data: { approvalId, kind } }) => {
      if (kind !== "question") return;
      void retryUntilDone(
        () => release(approvalId),
        (error) =>
          core.log.error("The agents of a stage could not be released; trying again.", {
            approvalId,
            error: String(error),
          }),
      );
    },
  );
}
