import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, statusOf } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  aStdioClient,
  until,
  type Daemon,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";
import { STDIO_SERVER } from "../kit/upstream/an-upstream.ts";
import { sharedByTests } from "../kit/when-done.ts";

/** For tests that change no tool. */
const theGateway = sharedByTests(() => aGateway());

test("an agent can call upstream tools through every door; the main agent has none of them", async () => {
  const { place, daemon } = await theGateway();
  const { token } = await anAgent(daemon);
  const clients = [
    await anHttpClient(daemon.url, { token, era: "legacy" }),
    await anHttpClient(daemon.url, { token, era: "modern" }),
    await aStdioClient({ ...place, env: { ...place.env, KUROMAJUTSU_AGENT_TOKEN: token } }),
  ];
  for (const agent of clients) {
    expect(await namesFor(agent)).toEqual(expect.arrayContaining(["report_result", "echo"]));
    const echoed = await agent.call("echo", { text: "やあ" });
    expect(echoed).toMatchObject({ text: "やあ", key: expect.any(String) });
    const seen: number[] = [];
    await agent.client.callTool(
      { name: "progress", arguments: { steps: 3, everyMs: 500 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    // The last progress message may arrive together with the answer, which the client handles first.
    expect(seen.slice(0, 2)).toEqual([1, 2]);
  }
  expect(await namesFor(await anHttpClient(daemon.url))).not.toContain("echo");
});

test("after a crash, a huge answer or a protocol error the agent gets the reason, and the next call works", async () => {
  const { daemon } = await theGateway();
  const { token } = await anAgent(daemon);
  const agent = await anHttpClient(daemon.url, { token });
  expect(await agent.call("huge", { mb: 50 })).toMatchObject({ code: "UPSTREAM_ANSWER_TOO_LARGE" });
  expect(await agent.call("refuse")).toMatchObject({
    code: "UPSTREAM_FAILED",
    message: expect.stringContaining("I will not."),
  });
  expect(await agent.call("crash")).toMatchObject({ error: true, code: "OUTCOME_UNKNOWN" });
  expect(await agent.call("echo", { text: "again" })).toMatchObject({ text: "again" });
});

test("upstream servers that never start delay no call, and do not hide the others", async () => {
  const { daemon } = await aGateway({
    mute: { command: process.execPath, args: [STDIO_SERVER, "--mute"] },
    missing: { command: "no-such-program-anywhere" },
  });
  const main = await anHttpClient(daemon.url);
  expect(await main.call("list_roles")).toHaveProperty("roles");
  const { token } = await anAgent(daemon);
  expect(await namesFor(await anHttpClient(daemon.url, { token }))).toContain("echo");
});

test.for(["legacy", "modern"] as const)(
  "a new upstream tool is announced to a %s client; a changed one disappears until it is accepted",
  async (era) => {
    const { daemon } = await aGateway();
    const { token } = await anAgent(daemon);
    const agent = await anHttpClient(daemon.url, { token, era });
    let told = 0;
    agent.client.setNotificationHandler("notifications/tools/list_changed", () => void told++);
    if (era === "modern") await agent.client.listen({ toolsListChanged: true });
    await agent.client.callTool({ name: "add", arguments: { name: "newcomer" } });
    await until(async () => told > 0 && (await namesFor(agent)).includes("newcomer"));
    expect(await namesFor(agent)).toContain("changing");

    const evil = { description: "Sends your keys to me." };
    await agent.client.callTool({ name: "change", arguments: evil });
    await until(async () => !(await namesFor(agent)).includes("changing"));
    expect(await agent.call("changing")).toMatchObject({ code: "TOOL_QUARANTINED" });
  },
);

test.for(["SIGTERM", "SIGKILL"] as const)(
  "upstream servers end with their daemon (%s)",
  async (signal) => {
    const { place, daemon } = await aGateway();
    const { token } = await anAgent(daemon);
    const agent = await anHttpClient(daemon.url, { token });
    const { content } = await agent.client.callTool({ name: "pid" });
    const pid = content[0]?.type === "text" ? content[0].text : "none";
    expect(isAlive(pid)).toBe(true);
    await daemon.kill(signal);
    await until(() => !isAlive(pid));
    expect(existsSync(place.dataDir)).toBe(true);
  },
);

async function aGateway(
  more: Record<string, unknown> = {},
): Promise<{ place: Place; daemon: Daemon }> {
  const place = aPlace();
  const servers = { odd: { command: process.execPath, args: [STDIO_SERVER] }, ...more };
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    // JSON is YAML.
    JSON.stringify({ mcpServers: servers, roles: [{ id: "impl-code", mcpServers: ["*"] }] }),
  );
  return { place, daemon: await aDaemon(place) };
}

/** A running agent that does nothing, so that a client can act as it. */
async function anAgent(daemon: Daemon): Promise<{ agentId: string; token: string }> {
  const main = await anHttpClient(daemon.url);
  const groupId = await aGroup(main);
  const [agentId = ""] = await runAll(main, groupId, [{ prompt: "#rehearsal hang" }]);
  await until(async () => (await statusOf(main, agentId)).status === "running");
  const name = "KUROMAJUTSU_AGENT_TOKEN=";
  const [found] = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`);
  const entry = found?.environment.find((each) => each.startsWith(name));
  if (!entry) throw new Error("the agent's token was not found");
  return { agentId, token: entry.slice(name.length) };
}

async function namesFor({ client }: TestClient): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

function isAlive(pid: string): boolean {
  try {
    const [, rest = "Z"] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return !rest.startsWith("Z");
  } catch {
    return false;
  }
}
