import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { aGroup, readSpool, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, aStdioClient, until } from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";

test("an agent sees only the tools it may use, and reports only for itself", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const main = await anHttpClient(daemon.url);
  const groupId = await aGroup(main);
  const [victim = ""] = await runAll(main, groupId, [{ prompt: "#rehearsal hang" }]);
  const report = { agentId: victim, status: "success", summary: "偽", response: "偽" };

  const [liar = ""] = await runAll(main, groupId, [
    {
      prompt: [
        `#rehearsal tool report_result ${JSON.stringify(report)}`,
        '#rehearsal tool create_group {"description":"私も"}',
        "#rehearsal tool list_agents {}",
      ].join("\n"),
    },
  ]);
  await waitForAll(main, [liar]);

  expect((await statusOf(main, victim)).result).toBeNull();
  const stream = readSpool(place, liar, "out");
  expect(stream).toContain("NOT_YOUR_AGENT");
  expect(stream.match(/NOT_ALLOWED/g)?.length).toBeGreaterThanOrEqual(2);
  expect(await main.call("list_agents", { groupId })).toMatchObject({ total: 2 });
});

test("the token of an ended agent is refused, and so is an invented one", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const main = await anHttpClient(daemon.url);
  const groupId = await aGroup(main);
  const [agentId = ""] = await runAll(main, groupId, [{ prompt: "#rehearsal hang" }]);
  await until(async () => (await statusOf(main, agentId)).status === "running");
  const token = tokenOf(agentId);

  const agent = await anHttpClient(daemon.url, { token });
  const tools = await agent.client.listTools();
  expect(tools.tools.map((tool) => tool.name)).toEqual([
    "report_result",
    "get_notifications",
    "report_completed",
    "report_progress",
    "ask_human",
  ]);

  await main.call("cancel_agent", { agentId });
  await waitForAll(main, [agentId]);
  await expect(anHttpClient(daemon.url, { token })).rejects.toThrow(/NOT_ALLOWED|401|Unauthorized/);
  await expect(anHttpClient(daemon.url, { token: "made-up" })).rejects.toThrow(
    /NOT_ALLOWED|401|Unauthorized/,
  );
  // An unexpanded variable of a client's configuration counts as no token.
  const careless = await anHttpClient(daemon.url, { token: "${env:KUROMAJUTSU_AGENT_TOKEN}" });
  expect(await careless.call("list_roles")).toHaveProperty("roles");
});

test("a token also identifies the agent over the socket, and is stored nowhere on disk", async () => {
  const place = aPlace();
  await aDaemon(place);
  const main = await aStdioClient(place);
  const groupId = await aGroup(main);
  const [agentId = ""] = await runAll(main, groupId, [{ prompt: "#rehearsal hang" }]);
  await until(async () => (await statusOf(main, agentId)).status === "running");
  const token = tokenOf(agentId);

  const agent = await aStdioClient({
    ...place,
    env: { ...place.env, KUROMAJUTSU_AGENT_TOKEN: token },
  });
  expect(
    await agent.call("report_result", {
      agentId: "x-1-ffff",
      status: "success",
      summary: "",
      response: "",
    }),
  ).toMatchObject({ code: "NOT_YOUR_AGENT" });

  const found = execFileSync("sh", ["-c", `grep -rl -- "${token}" "${place.dataDir}" || true`], {
    encoding: "utf8",
  });
  expect(found).toBe("");
});

/** Reads the token from the environment of the agent's process, as any process of the same user can. */
function tokenOf(agentId: string): string {
  const [found] = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`);
  const name = "KUROMAJUTSU_AGENT_TOKEN=";
  const entry = found?.environment.find((each) => each.startsWith(name));
  if (!entry) throw new Error(`no process of ${agentId}`);
  return entry.slice(name.length);
}
