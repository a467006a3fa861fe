import * as z from "zod";
import { defaultConfig } from "../defaults.ts";
import { MAX_TIMER_MS, wholeNumber, oneOf, list } from "../fields.ts";
import { people } from "./people.ts";

const DEFAULTS = defaultConfig();

/** The approval rule: which people may decide. */
export const policySection = z.union(
  [
    oneOf(["anyone", "requester", "not-requester"]),
    z.strictObject({ approvers: people }),
    z.strictObject({ quorum: wholeNumber(2, 100), approvers: people.exactOptional() }),
  ],
  {
    error:
      "anyone, requester, not-requester, {approvers: [ids]} or {quorum: n, approvers: [ids]} with n from 2",
  },
);

export const tasksSection = z.strictObject(
  {
    maxRegenerations: wholeNumber(0, 100)
      .default(DEFAULTS.tasks.maxRegenerations)
      .describe("How many drafts of one task people may reject before it is cancelled."),
    holdFor_ms: wholeNumber(0, MAX_TIMER_MS)
      .default(DEFAULTS.tasks.holdFor_ms)
      .describe(
        "How long an agent's call is held for a person before the agent is asked to end; the decision starts the next one.",
      ),
    unplannedTools: oneOf(["ask", "allow", "refuse"])
      .default(DEFAULTS.tasks.unplannedTools)
      .describe("What happens when an execution calls a tool that is in no approved step."),
    approval: policySection
      .default(DEFAULTS.tasks.approval)
      .describe(
        "The people who decide: `anyone`, `requester`, `not-requester`, `{approvers: [ids]}` or `{quorum: n}`.",
      ),
    approvals: z
      .strictObject(
        {
          prompt: policySection.exactOptional().describe("The prompt (実行方針) of a task."),
          process: policySection.exactOptional().describe("The process (実行ステップ) of a task."),
          step: policySection
            .exactOptional()
            .describe("A call of a step that requires a human check."),
          unplanned_tool: policySection
            .exactOptional()
            .describe("A tool that is in no approved step."),
          call: policySection
            .exactOptional()
            .describe("A call of an agent outside a task that a person must check."),
          question: policySection.exactOptional().describe("A question of an agent."),
          outcome: policySection
            .exactOptional()
            .describe("Whether a call whose answer was lost took effect."),
          merge: policySection
            .exactOptional()
            .describe("Whether the change of an agent is merged."),
        },
        { error: "a map from kind of approval to who decides" },
      )
      .default({})
      .describe("The people who decide approvals of one kind, where they differ from `approval`."),
    approvalExpiry_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.tasks.approvalExpiry_ms)
      .describe("After this time without a decision an approval expires. 0: never."),
    remindAfter_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.tasks.remindAfter_ms)
      .describe(
        "After this time without a decision people are reminded; half-way where it would expire before that. 0: never.",
      ),
    types: list(
      z.string().max(30, { error: "a text of at most 30 characters" }),
      "a list of texts",
    ).describe("Suggestions for the type of a task."),
  },
  { error: "a map of task settings" },
);

export const interruptSection = z.strictObject(
  {
    hardStopAfter_ms: wholeNumber(0, MAX_TIMER_MS)
      .default(DEFAULTS.interrupt.hardStopAfter_ms)
      .describe(
        "An agent that has not reported by then after its stop notification is stopped. 0: never.",
      ),
  },
  { error: "a map with the key hardStopAfter_ms" },
);
