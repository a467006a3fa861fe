import { z } from "zod";
import { runMagentic as run } from "../../../../app/groups/run-magentic.ts";
import { localeOf } from "../../../../app/locale-of.ts";
import { shortRehearsalNote } from "../../../../app/roles/rehearsal-only.ts";
import { defineTool } from "../../define-tool.ts";
import { refuseModel } from "../agents/agent-request.ts";

const text = z.string().trim().min(1).max(1_000_000);

export const runMagentic = defineTool({
  name: "run_magentic",
  description:
    "Give a task to an orchestrator that plans, delegates to agents, evaluates and replans by itself. Then call wait_agent with orchestratorAgentId.",
  callers: ["client"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    description: z.string().trim().min(1).max(2_000).describe("Its purpose in one line"),
    task: text.describe("The goal, in detail"),
    completionCriteria: text.describe("When the task counts as done"),
    scope: text.describe("What may be changed"),
    constraints: text.optional().describe("Rules and prohibitions"),
    context: text.optional().describe("Background, paths of specifications"),
    availableRoles: z
      .array(z.string())
      .max(100)
      .optional()
      .describe("Default: all but orchestrator"),
    maxIterations: z.int().min(1).max(1_000).default(10),
    timeout_ms: z.int().positive().optional().describe("Ends the whole task"),
    workingDirectory: z.string().min(1).optional().describe("Default: your own"),
  }),
  output: z.object({
    groupId: z.string(),
    orchestratorAgentId: z.string(),
    status: z.literal("started"),
    note: z.string().optional(),
  }),
  refuse: refuseModel,
  async run({ core, identity }, args) {
    const { group, orchestrator } = await run(core, identity, {
      description: args.description,
      task: args.task,
      completionCriteria: args.completionCriteria,
      scope: args.scope,
      constraints: args.constraints ?? null,
      context: args.context ?? null,
      availableRoles: args.availableRoles ?? null,
      maxIterations: args.maxIterations,
      timeoutMs: args.timeout_ms ?? null,
      workingDirectory: args.workingDirectory ?? null,
    });
    const note = await shortRehearsalNote(core, localeOf(core, identity));
    return {
      groupId: group.id,
      orchestratorAgentId: orchestrator.id,
      status: "started" as const,
      ...(note && { note }),
    };
  },
});
