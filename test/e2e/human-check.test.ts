import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, until, type Daemon, type Place } from "../kit/daemon.ts";
import { STDIO_SERVER } from "../kit/upstream/an-upstream.ts";

const approvalsShape = z.object({
  approvals: z.array(
    z.looseObject({
      approvalId: z.string(),
      kind: z.string(),
      status: z.string(),
      version: z.number(),
      agentId: z.string().nullable(),
      shown: z.record(z.string(), z.unknown()),
    }),
  ),
});
const auditShape = z.object({
  entries: z.array(z.looseObject({ action: z.string(), data: z.looseObject({}) })),
});

/** A server whose `echo` has a human check, and a role that may use it. */
function aCheckedPlace(): Place {
  const place = aPlace();
  const odd = {
    command: process.execPath,
    args: [STDIO_SERVER],
    tools: { echo: { humanCheck: "always" } },
  };
  const roles = [{ id: "impl-code", mcpServers: ["odd"] }];
  // JSON is YAML.
  const config = JSON.stringify({ mcpServers: { odd }, roles });
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), config);
  return place;
}

async function startAgent(daemon: Daemon): Promise<string> {
  const main = await anHttpClient(daemon.url);
  const prompt = '#rehearsal tool echo {"text":"やあ"}';
  const [agentId = ""] = await runAll(main, await aGroup(main), [{ prompt }]);
  return agentId;
}

async function checks({ url }: Daemon, agentId: string) {
  const answer = await fetch(`${url}/api/approvals?agentId=${agentId}`);
  return approvalsShape.parse(await answer.json()).approvals;
}

async function forwarded({ url }: Daemon, agentId: string) {
  const answer = await fetch(`${url}/api/audit?actor=agent:${agentId}`);
  const { entries } = auditShape.parse(await answer.json());
  return entries.filter(
    ({ action, data }) => action === "tool.forwarded" && data["tool"] === "echo",
  );
}

test("the human check of a call outside a task survives a killed daemon", async () => {
  const place = aCheckedPlace();
  const first = await aDaemon(place);
  const agentId = await startAgent(first);
  await until(async () => (await checks(first, agentId)).length > 0);
  expect(await checks(first, agentId)).toMatchObject([
    { kind: "call", status: "pending", shown: { tool: "odd/echo", args: { text: "やあ" } } },
  ]);
  expect(await forwarded(first, agentId)).toEqual([]);

  await first.kill("SIGKILL");
  const daemon = await aDaemon(place);
  const [asked] = await checks(daemon, agentId);
  expect(asked?.status).toBe("pending");
  const decided = await fetch(`${daemon.url}/api/approvals/${asked?.approvalId}/decision`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve", version: asked?.version }),
  });
  expect(decided.status).toBe(200);

  const main = await anHttpClient(daemon.url);
  await waitForAll(main, [agentId]);
  expect(await statusOf(main, agentId)).toMatchObject({ result: { status: "success" } });
  expect(await forwarded(daemon, agentId)).toMatchObject([
    { data: { server: "odd", tool: "echo", approvalId: asked?.approvalId } },
  ]);
});

test("cancelling an agent closes its human check, and nothing is forwarded", async () => {
  const daemon = await aDaemon(aCheckedPlace());
  const agentId = await startAgent(daemon);
  await until(async () => (await checks(daemon, agentId)).length > 0);

  const main = await anHttpClient(daemon.url);
  await main.call("cancel_agent", { agentId });
  await until(async () => (await checks(daemon, agentId))[0]?.status === "cancelled");

  expect(await forwarded(daemon, agentId)).toEqual([]);
});
