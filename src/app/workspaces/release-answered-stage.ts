import type { Core } from "../core.ts";
import { groupOfStageQuestion, releaseStage } from "./ask-about-stage.ts";

/** Starts the agents of a stage once a person has said which of the conflicting changes to use. */
export async function releaseAnsweredStage(core: Core, approvalId: string): Promise<void> {
  const approval = await core.store.getApproval(approvalId);
  const groupId = approval && groupOfStageQuestion(approval);
  if (groupId) await releaseStage(core, groupId);
}
