import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { command, readDaemonFile, until } from "../../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  isAlive,
  LEASE_MS,
  rowsOf,
  serverId,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { twoSharedStories } from "../../kit/postgres/stories.ts";
import {
  aRequest,
  aStory,
  began,
  hasLive,
  isAtRest,
  lastAttempt,
  LONG_MS,
  type SeenTask,
  stepOf,
  type Story,
  writesOf,
} from "../../kit/story.ts";

vi.setConfig({ testTimeout: LONG_MS });

/** A server that is stopped for some seconds keeps its lease. */
const LONG_LEASE = { ...SETTINGS, store: { lease_ms: 30_000 } };

/** Servers on one database; each has its own upstream server, and so its own journal. */
const aServerStory = (url: string, config: Record<string, unknown> = SETTINGS): Promise<Story> =>
  aStory(config, { place: aPlaceOn(url) });

/** For tests whose servers go on. All agents run on the first. */
const bothServers = twoSharedStories({ ...SETTINGS, interrupt: { hardStopAfter_ms: 600 } });

function executorOf(task: SeenTask): string {
  const { agentId } = lastAttempt(task);
  if (agentId === null) throw new Error("no agent works on it");
  return agentId;
}

async function isOver(story: Story, taskId: string, status: string): Promise<SeenTask> {
  return story.reach(taskId, (task) => lastAttempt(task).status === status && isAtRest(task));
}

/** A task whose executor runs on the first server and waits for an upstream call. */
async function aCallInFlight(config: Record<string, unknown> = SETTINGS) {
  const url = await aMigratedUrl();
  const a = await aServerStory(url, config);
  const taskId = await a.start(aRequest("arg step-2.pauseMs 60000", 'arg step-2.writes "first"'));
  await a.reach(taskId, () => began(a, "write_note"));
  return { url, a, taskId, agentId: executorOf(await a.look(taskId)) };
}

test("a second server that starts touches no call in flight, and a block through it stops the agent of the first", async () => {
  const { url, a, taskId, agentId } = await aCallInFlight();

  const b = await aServerStory(url);
  await sleep(LEASE_MS / 2);
  expect((await b.look(taskId)).toolCalls.find(({ tool }) => tool === "write_note")?.status).toBe(
    "forwarded",
  );
  const changed = await b.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked" });

  expect(changed.body).toMatchObject({ task: { status: "blocked" }, stopping: [agentId] });
  expect(changed.body).not.toHaveProperty("unconfirmedCalls");
  // The upstream server of the first one was told before the acknowledgement.
  expect(a.notes().some(({ what }) => what === "cancelled")).toBe(true);
  const blocked = await isOver(b, taskId, "blocked");
  expect(stepOf(blocked, "step-2")).toBe("outcome_unknown");
  await until(() => !isAlive(agentId));

  await b.change(taskId, "in_progress");
  await b.decide(await b.pending(taskId, "outcome"), "approve", { answer: "done" });
  await b.reach(taskId, ({ status }) => status === "completed");
  expect(writesOf(a) + writesOf(b)).toBe(1);
  expect(writesOf(a, "send_word") + writesOf(b, "send_word")).toBe(1);
});

test("a block through one server names the call of another that is stopped, and nothing is sent after it", async () => {
  const { url, a, taskId, agentId } = await aCallInFlight(LONG_LEASE);
  const b = await aServerStory(url, LONG_LEASE);
  const pid = readDaemonFile(a.place)?.pid ?? 0;

  process.kill(pid, "SIGSTOP");
  const changed = await b.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked" });
  const before = a.notes().filter(({ what }) => what === "began");
  process.kill(pid, "SIGCONT");

  expect(changed.body).toMatchObject({
    task: { status: "blocked" },
    unconfirmedCalls: [{ server: "notes", tool: "write_note", agentId }],
  });
  await isOver(b, taskId, "blocked");
  await until(() => !isAlive(agentId));
  expect(a.notes().filter(({ what }) => what === "began")).toEqual(before);
  expect([writesOf(a, "send_word"), writesOf(b), writesOf(b, "send_word")]).toEqual([0, 0, 0]);
});

test("the call of a server that dies has an unknown outcome, a person is asked, and the task goes on elsewhere", async () => {
  const { url, a, taskId, agentId } = await aCallInFlight();
  const b = await aServerStory(url);
  await a.end("SIGKILL");

  const asked = await b.pending(taskId, "outcome");

  const lost = await b.reach(taskId, ({ agents }) =>
    agents.some((each) => each.agentId === agentId && each.status === "lost"),
  );
  expect(stepOf(lost, "step-2")).toBe("outcome_unknown");
  await b.decide(asked, "approve", { answer: "done" });
  await b.reach(taskId, ({ status }) => status === "completed");
  expect([writesOf(a), writesOf(b), writesOf(b, "send_word")]).toEqual([1, 0, 1]);
  const rows = await agentRows(url);
  expect(rows.filter(({ id }) => id === agentId)).toMatchObject([
    { status: "lost", worker_id: serverId(a.place) },
  ]);
  const verified = await command(b.place, ["audit", "verify"]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});

test("a server decides an approval for an agent that is held on another one", async () => {
  const { a, b } = await bothServers();
  const taskId = await a.start(aRequest("check step-2"));
  const held = await a.pending(taskId, "step");

  const path = `/api/approvals/${held.approvalId}/decision`;
  const both = await Promise.all(
    [a, b].map((story) => story.ask("POST", path, { decision: "approve", version: held.version })),
  );

  expect(both.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409]);
  const loser = both.find(({ status }) => status === 409);
  expect(loser?.body).toMatchObject({ code: "APPROVAL_ALREADY_DECIDED" });
  await b.reach(taskId, ({ status }) => status === "completed");
  expect(writesOf(a) + writesOf(b)).toBe(1);
});

test("a message and a hard stop through one server reach the executor of another", async () => {
  const { url, a, b } = await bothServers();
  const taskId = await a.start(aRequest("first in executor hang"));
  const executor = executorOf(await a.reach(taskId, hasLive));

  await b.ask("POST", `/api/agents/${executor}/message`, { text: "青" });
  const as = await a.as(executor);
  await until(async () => JSON.stringify(await as.call("get_notifications")).includes("青"));

  // The agent calls no tool, so only the hard stop ends it.
  await b.change(taskId, "blocked");
  await until(() => !isAlive(executor), undefined, 30_000);
  await isOver(b, taskId, "blocked");
  const stops = await rowsOf(
    url,
    `select seq from audit where action = 'agent.hard_stopped' and subject = '${executor}'`,
  );
  expect(stops).toHaveLength(1);
  expect((await agentRows(url)).find(({ id }) => id === executor)?.worker_id).toBe(
    serverId(a.place),
  );
});
