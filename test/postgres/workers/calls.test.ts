import { Client } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { createSocketTransport } from "../../../src/rehearsal/socket-transport.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import { rowsOf, SETTINGS } from "../../kit/postgres/servers.ts";
import { aSwitch } from "../../kit/postgres/switch.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { processesWith } from "../../kit/processes.ts";
import {
  aRequest,
  aStory,
  began,
  hasLive,
  lastAttempt,
  LONG_MS,
  type Story,
  writesOf,
} from "../../kit/story.ts";
import { sharedByTests, whenDone } from "../../kit/when-done.ts";

vi.setConfig({ testTimeout: LONG_MS });

const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };

/** Two servers, and a worker that is connected to the first one. */
async function servers() {
  const url = await aMigratedUrl();
  const start = (): Promise<Story> => aStory(ONLY_WORKERS, { place: aPlaceOn(url) });
  const a = await start();
  const b = await start();
  const balancer = await aSwitch(a.url());
  await aWorker(balancer, { name: "build-1" });
  return { url, a, b, balancer };
}

/** For tests that only move the worker. */
const theServers = sharedByTests(servers);

/** An executor on a worker of the first server; the test calls in its name through the worker. */
async function anExecutorOnWorker(on: typeof servers = theServers) {
  const { url, a, b, balancer } = await on();
  whenDone(() => balancer.use(a.url()));
  await a.clear();
  await b.clear();
  const taskId = await a.start(aRequest("first in executor hang"));
  const { agentId } = lastAttempt(await a.reach(taskId, hasLive));
  const environment = environmentOf(agentId ?? "");
  return {
    url,
    a,
    b,
    taskId,
    agentId: agentId ?? "",
    move: () => balancer.use(b.url()),
    writes: () => writesOf(a) + writesOf(b),
    call: (args: Record<string, unknown>) => callThrough(environment, args),
  };
}

function environmentOf(agentId: string): (name: string) => string {
  const entries = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).flatMap(
    ({ environment }) => environment,
  );
  return (name) =>
    entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

/** One connection per call, as a CLI that was cut off connects again. */
async function callThrough(
  environment: (name: string) => string,
  args: Record<string, unknown>,
): Promise<unknown> {
  const transport = await createSocketTransport(environment("KUROMAJUTSU_SOCKET"), {
    kind: "mcp",
    version: "0",
    pid: process.pid,
    cwd: process.cwd(),
    token: environment("KUROMAJUTSU_AGENT_TOKEN"),
    keys: {},
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  whenDone(() => client.close());
  const { structuredContent, content } = await client.callTool({
    name: "write_note",
    arguments: args,
  });
  return structuredContent ?? content;
}

const outcomes = async ({ b, taskId }: { readonly b: Story; readonly taskId: string }) =>
  (await b.look(taskId)).approvals.filter(({ kind }) => kind === "outcome");

test("a worker moves while its old server has a call in flight: the repeat through the new one gets the answer, and nobody is asked", async () => {
  const executor = await anExecutorOnWorker();
  const args = { text: "引っ越し", pauseMs: 4_000, writes: "last" };
  const cut = executor.call(args).catch(() => "cut");
  await until(() => began(executor.a, "write_note"));

  executor.move();
  expect(await cut).toBe("cut");
  const again = await executor.call(args);

  expect(again).toEqual({ noteId: "note-1" });
  expect(executor.writes()).toBe(1);
  expect(executor.a.notes().some(({ what }) => what === "cancelled")).toBe(false);
  expect(await outcomes(executor)).toEqual([]);

  // The agent has the answer now, so the next equal call is meant.
  expect(await executor.call(args)).toEqual({ noteId: "note-1" });
  expect(executor.writes()).toBe(2);
});

test("the answer came to the old server while the worker moved: the new one gives it to the agent", async () => {
  const executor = await anExecutorOnWorker();
  const args = { text: "あとで", pauseMs: 1_000 };
  const cut = executor.call(args).catch(() => "cut");
  await until(() => began(executor.a, "write_note"));
  executor.move();
  await cut;
  await until(async () => {
    const [row] = await rowsOf(
      executor.url,
      `select status, delivery from tool_calls
        where tool = 'write_note' and agent_id = '${executor.agentId}'`,
    );
    return row?.["status"] === "done" && row["delivery"] === "cut";
  });

  expect(await executor.call(args)).toEqual({ noteId: "note-1" });
  expect(executor.writes()).toBe(1);
  expect(await outcomes(executor)).toEqual([]);
});

test("a block that comes while the worker has moved cancels the call at the old server", async () => {
  const executor = await anExecutorOnWorker();
  const { a, b, taskId, agentId } = executor;
  const cut = executor.call({ text: "止める", pauseMs: 60_000 }).catch(() => "cut");
  await until(() => began(a, "write_note"));
  executor.move();
  await cut;

  const changed = await b.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked" });

  expect(changed.body).toMatchObject({ task: { status: "blocked" }, stopping: [agentId] });
  expect(changed.body).not.toHaveProperty("unconfirmedCalls");
  await until(() => a.notes().some(({ what }) => what === "cancelled"));
});

test("the old server died with the call: a person is asked once its lease has ended, and it is not sent again", async () => {
  const executor = await anExecutorOnWorker(servers);
  const { a, b, taskId } = executor;
  const args = { text: "落ちた", pauseMs: 60_000 };
  const cut = executor.call(args).catch(() => "cut");
  await until(() => began(a, "write_note"));

  await a.end("SIGKILL");
  executor.move();
  await cut;
  const again = executor.call(args);
  await b.decide(await b.pending(taskId, "outcome"), "approve", { answer: "done" });

  expect(JSON.stringify(await again)).toContain("confirmed that this call took effect");
  expect(executor.writes()).toBe(1);
});
