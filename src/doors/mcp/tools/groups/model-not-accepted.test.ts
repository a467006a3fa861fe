import { describe, expect, test } from "vitest";
import { callOwnTool, ownTool, textsOf } from "../../../../../test/kit/call-own-tool.ts";
import { aCore } from "../../../../../test/kit/core.ts";
import { wireTool } from "../../create-mcp-server.ts";

const one = { role: "impl-code", prompt: "x" };
const model = "gpt";
const magentic = { description: "d", task: "t", completionCriteria: "c", scope: "s" };

const CALLS: [string, object][] = [
  ["run_agents", { groupId: "grp-1-ffff", agents: [one], model }],
  ["run_agents", { groupId: "grp-1-ffff", agents: [one, { ...one, model }] }],
  ["run_sequential", { groupId: "grp-1-ffff", stages: [{ tasks: [one] }], model }],
  [
    "run_sequential",
    { groupId: "grp-1-ffff", stages: [{ tasks: [one] }, { tasks: [one], model }] },
  ],
  ["run_sequential", { groupId: "grp-1-ffff", stages: [{ tasks: [one, { ...one, model }] }] }],
  ["run_magentic", { ...magentic, model }],
];

describe("the role decides the model", () => {
  test.each(CALLS)("%s %j is refused with the hint to edit the role", async (name, args) => {
    const core = await aCore();

    const answer = await callOwnTool(core, name, args);

    expect(answer.isError).toBe(true);
    expect(JSON.parse(textsOf(answer)[0] ?? "")).toMatchObject({
      code: "MODEL_NOT_ACCEPTED",
      hint: expect.stringContaining("kuromajutsu.config.yaml"),
    });
  });

  test.each(["run_agents", "run_sequential", "run_magentic"])(
    "%s does not offer a model in its schema",
    (name) => {
      expect(JSON.stringify(wireTool(ownTool(name)))).not.toContain("model");
    },
  );
});
