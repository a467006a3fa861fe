import { z } from "zod";
import { CHECKOUT_PROBLEMS } from "../../domain/merges/merge-problem.ts";
import { MERGE_MODES, MERGE_STATUSES, type Merge } from "../../domain/merges/merge.ts";
import { iso, isoOrNull } from "./iso.ts";

/** Why a merge did not land; `mergeProblemText` of the domain has the sentence. */
export const mergeProblemShape = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conflicts"), target: z.string(), onto: z.string() }),
  z.object({ type: z.literal("check_failed"), exitCode: z.number().nullable() }),
  z.object({ type: z.literal("check_timed_out"), afterMs: z.number() }),
  z.object({ type: z.literal("branch_fails_check"), target: z.string() }),
  z.object({ type: z.literal("setup_failed") }),
  z.object({ type: z.literal("target_gone"), target: z.string() }),
  z.object({ type: z.literal("not_as_approved"), target: z.string() }),
  z.object({
    type: z.literal("checked_out"),
    target: z.string(),
    path: z.string(),
    commit: z.string(),
  }),
  z.object({
    type: z.literal("checkout_refused"),
    path: z.string(),
    reason: z.enum(CHECKOUT_PROBLEMS),
    files: z.array(z.string()).readonly(),
    commit: z.string(),
  }),
  z.object({ type: z.literal("refused"), en: z.string(), ja: z.string() }),
]);

export const mergeShape = z.object({
  mergeId: z.string(),
  workspaceId: z.string(),
  agentId: z.string(),
  groupId: z.string(),
  taskId: z.string().nullable(),
  version: z.number().describe("The version of the change that people approve"),
  target: z.string().describe("The branch"),
  mode: z.enum(MERGE_MODES),
  message: z.string().describe("The commit message"),
  status: z.enum(MERGE_STATUSES),
  approvalId: z.string().nullable(),
  requester: z.string(),
  intoCheckout: z
    .boolean()
    .describe("Whether a checkout in which a person has the branch may be fast-forwarded"),
  result: z.string().nullable().describe("The commit on the branch"),
  checkExit: z.number().nullable().describe("Exit code of workspace.check; null: it did not run"),
  problem: mergeProblemShape.nullable().describe("Why it did not land"),
  conflicts: z.array(z.string()),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type WireMerge = z.infer<typeof mergeShape>;

export function wireMerge(merge: Merge): WireMerge {
  return {
    mergeId: merge.id,
    workspaceId: merge.workspaceId,
    agentId: merge.agentId,
    groupId: merge.groupId,
    taskId: merge.taskId,
    version: merge.version,
    target: merge.target,
    mode: merge.mode,
    message: merge.message,
    status: merge.status,
    approvalId: merge.approvalId,
    requester: merge.requester,
    intoCheckout: merge.intoCheckout,
    result: merge.result,
    checkExit: merge.checkExit,
    problem: merge.problem,
    conflicts: [...merge.conflicts],
    createdAt: iso(merge.createdAt),
    endedAt: isoOrNull(merge.endedAt),
  };
}
