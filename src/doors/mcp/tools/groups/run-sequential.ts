import { z } from "zod";
import { runSequential as run } from "../../../../app/groups/run-sequential.ts";
import { defineTool } from "../../define-tool.ts";
import {
  isolationShape,
  plainRequestShape,
  refuseModel,
  startedAgents,
  startedAgentShape,
  toRequest,
} from "../agents/agent-request.ts";

/** Only ids: roles and statuses are in `agents`. */
const taskShape = z.object({ agentId: z.string() });

export const runSequential = defineTool({
  name: "run_sequential",
  description:
    "Run stages in a sequential group; agents of a stage run in parallel and get the results of the stage before. Then call wait_agent.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    groupId: z.string().describe('Made with create_group(mode: "sequential")'),
    stages: z
      .array(z.strictObject({ tasks: z.array(plainRequestShape).max(1_000) }))
      .max(1_000)
      .describe("Tasks are as the agents of run_agents"),
    onFailure: z
      .enum(["continue", "stop"])
      .default("continue")
      .describe("stop: a failed agent cancels later stages"),
  }),
  output: z.object({
    groupId: z.string(),
    totalStages: z.number(),
    currentStageIndex: z.number(),
    stages: z.array(z.object({ stageIndex: z.number(), tasks: z.array(taskShape) })),
    agents: z.array(startedAgentShape.omit({ groupId: true })),
    total: z.number(),
    isolation: isolationShape,
  }),
  refuse: refuseModel,
  async run({ core, identity }, { groupId, stages, onFailure }) {
    const { group, agents } = await run(core, identity, {
      groupId,
      onFailure,
      stages: stages.map((stage) => stage.tasks.map(toRequest)),
    });
    const started = await startedAgents(core, agents);
    return {
      groupId: group.id,
      totalStages: stages.length,
      currentStageIndex: group.stages?.current ?? 0,
      stages: stages.map((_stage, stageIndex) => ({
        stageIndex,
        tasks: agents
          .filter((agent) => agent.stageIndex === stageIndex)
          .map(({ id }) => ({ agentId: id })),
      })),
      ...started,
      // Without the groupId, which the answer already has at the top.
      agents: started.agents.map(({ groupId: _groupId, ...row }) => row),
      total: agents.length,
    };
  },
});
