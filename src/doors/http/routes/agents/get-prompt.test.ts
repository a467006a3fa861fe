import { expect, test } from "vitest";
import { z } from "zod";
import { aCore } from "../../../../../test/kit/core.ts";
import { anHttpDoor } from "../../../../../test/kit/http-door.ts";
import { aRunningAgent } from "../../../../../test/kit/running-agent.ts";

const answer = z.object({ agentId: z.string(), request: z.string(), prompt: z.string() });

async function aDoor() {
  const core = await aCore();
  const { url } = await anHttpDoor(core);
  return { core, get: (id: string) => fetch(`${url}/api/agents/${id}/prompt`) };
}

test("the whole prompt ends with the request", async () => {
  const { core, get } = await aDoor();
  const id = await aRunningAgent(core);
  const { agentId, request, prompt } = answer.parse(await (await get(id)).json());
  expect({ agentId, request }).toEqual({ agentId: id, request: "やって" });
  expect(prompt).toContain(`- Agent ID: ${id}`);
  expect(prompt).toContain("report_result");
  expect(prompt.endsWith("\n\nやって")).toBe(true);
});

test("an unknown agent has no prompt", async () => {
  const { get } = await aDoor();
  expect((await get("nobody-1-a")).status).toBe(404);
});
