import { expect, test, vi } from "vitest";
import { anHttpClient, type TestClient, until } from "../../kit/daemon.ts";
import { rowsOf } from "../../kit/postgres/servers.ts";
import { twoSharedStories } from "../../kit/postgres/stories.ts";
import {
  aRequest,
  began,
  hasLive,
  lastAttempt,
  LONG_MS,
  type Story,
  tokenOf,
  writesOf,
} from "../../kit/story.ts";

vi.setConfig({ testTimeout: LONG_MS });

const ERAS = ["legacy", "modern"] as const;

const bothServers = twoSharedStories();

/** An executor that does nothing by itself, so that the test can call in its name at both servers. */
async function anExecutor() {
  const { url, a, b } = await bothServers();
  const taskId = await a.start(aRequest("first in executor hang"));
  const { agentId } = lastAttempt(await a.reach(taskId, hasLive));
  const token = tokenOf(agentId ?? "");
  const itsNotes = `agent_id = '${agentId}' and tool = 'write_note'`;
  return {
    a,
    b,
    taskId,
    token,
    /** One column of its calls of write_note, in their order. */
    async calls(column: "status" | "delivery"): Promise<string> {
      const rows = await rowsOf(
        url,
        `select ${column} from tool_calls where ${itsNotes} order by seq`,
      );
      return rows.map((row) => row[column]).join();
    },
    /** As if the server had died before it could say that an answer was delivered. */
    forgetDeliveries: () => rowsOf(url, `update tool_calls set delivery = null where ${itsNotes}`),
    writes: () => writesOf(a) + writesOf(b),
    as: (story: Story, era: (typeof ERAS)[number]): Promise<TestClient> =>
      anHttpClient(story.url(), { token, era }),
  };
}

type Executor = Awaited<ReturnType<typeof anExecutor>>;

/** Sends the call and destroys the connection when the upstream server has begun. */
async function cutCall(
  { a, as }: Executor,
  era: (typeof ERAS)[number],
  args: Record<string, unknown>,
): Promise<void> {
  const { client } = await as(a, era);
  const calling = client.callTool({ name: "write_note", arguments: args }).catch(() => undefined);
  await until(() => began(a, "write_note"));
  await client.close();
  await calling;
}

test.each(ERAS)(
  "a call that an agent repeats on purpose is made each time, whichever server gets it (%s)",
  async (era) => {
    const executor = await anExecutor();
    const clients = [await executor.as(executor.a, era), await executor.as(executor.b, era)];

    for (let round = 0; round < 10; round++) {
      for (const client of clients) {
        expect(await client.call("write_note", { text: "同じ" })).toEqual({ noteId: "note-1" });
      }
    }

    expect(executor.writes()).toBe(20);
    expect(await executor.a.look(executor.taskId)).toMatchObject({ status: "in_progress" });
  },
);

test("a call that comes to another server while it is under way is not sent again, and both get the answer", async () => {
  const executor = await anExecutor();
  const { a, b } = executor;
  const args = { text: "一度", pauseMs: 2_000 };
  const first = (await executor.as(a, "modern")).call("write_note", args);
  await until(() => began(a, "write_note"));

  const again = await (await executor.as(b, "modern")).call("write_note", args);

  expect([await first, again]).toEqual([{ noteId: "note-1" }, { noteId: "note-1" }]);
  expect(executor.writes()).toBe(1);
});

test("equal calls that reach both servers at the same moment are made once", async () => {
  const executor = await anExecutor();
  const clients = [
    await executor.as(executor.a, "modern"),
    await executor.as(executor.b, "modern"),
  ];
  for (let round = 1; round <= 5; round++) {
    const args = { text: `同時 ${round}`, pauseMs: 500 };
    await Promise.all(clients.map(({ call }) => call("write_note", args)));
    expect(executor.writes()).toBe(round);
  }
});

test("the client is cut off before the answer, repeats the call at another server while it is under way, and gets the answer once", async () => {
  const executor = await anExecutor();
  const args = { text: "切れる", pauseMs: 2_000 };
  await cutCall(executor, "legacy", args);

  const other = await executor.as(executor.b, "legacy");
  expect(await other.call("write_note", args)).toEqual({ noteId: "note-1" });
  expect(executor.writes()).toBe(1);

  // The agent has the answer now, so the next equal call is meant.
  await other.call("write_note", args);
  expect(executor.writes()).toBe(2);
  expect((await executor.a.look(executor.taskId)).approvals).not.toContainEqual(
    expect.objectContaining({ kind: "outcome" }),
  );
});

test("an answer that came after the client was cut off is given by another server, and the call is not made again", async () => {
  const executor = await anExecutor();
  const args = { text: "遅い", pauseMs: 700 };
  await cutCall(executor, "legacy", args);
  await until(async () => (await executor.calls("status")) === "done");

  const other = await executor.as(executor.b, "legacy");
  expect(await other.call("write_note", args)).toEqual({ noteId: "note-1" });
  expect(executor.writes()).toBe(1);

  await other.call("write_note", args);
  expect(executor.writes()).toBe(2);
});

test("a newer client that disconnects cancels its call: the repeat at another server waits for a person and is not sent", async () => {
  const executor = await anExecutor();
  const { b, taskId } = executor;
  const args = { text: "取り消し", pauseMs: 30_000 };
  await cutCall(executor, "modern", args);

  const again = (await executor.as(b, "modern")).call("write_note", args);
  await b.decide(await b.pending(taskId, "outcome"), "approve", { answer: "done" });

  expect(JSON.stringify(await again)).toContain("confirmed that this call took effect");
  expect(executor.writes()).toBe(1);
});

test("a server that dies after it stored an answer and before it said that it was delivered: another one gives the answer again", async () => {
  const executor = await anExecutor();
  const { a, b } = executor;
  const args = { text: "届いたか", pauseMs: 10 };
  await (await executor.as(a, "modern")).call("write_note", args);
  await until(async () => (await executor.calls("delivery")) === "delivered");
  await executor.forgetDeliveries();

  await (await executor.as(b, "modern")).call("write_note", args);
  expect(executor.writes()).toBe(1);

  await (await executor.as(b, "modern")).call("write_note", args);
  expect(executor.writes()).toBe(2);
});
