import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../../test/kit/daemon.ts";
import { aDatabaseLike } from "../../../../test/kit/postgres/database.ts";
import { rowsOf } from "../../../../test/kit/postgres/servers.ts";
import type { ServerMessage } from "../../../app/ports/server-messages.ts";
import type { Store } from "../../../app/ports/store.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgresStore } from "./postgres-store.ts";

async function aServer(url: string): Promise<{ store: Store; heard: ServerMessage[] }> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const heard: ServerMessage[] = [];
  store.serverMessages?.on((message) => void heard.push(message));
  return { store, heard };
}

const callOf = (message: ServerMessage) => ("callId" in message ? message.callId : undefined);

test("messages reach every other server: of the progress of a call the newest, and what is unreadable is skipped", async () => {
  const url = await aDatabaseLike("store", async (empty) => {
    await migratePostgres(empty);
  });
  const [a, b] = [await aServer(url), await aServer(url)];
  const send = (message: ServerMessage) => a.store.serverMessages?.send(message);
  await until(() => {
    send({ type: "cancel_call", callId: "call-0", from: "a" });
    return b.heard.length > 0;
  });
  const before = b.heard.length;

  for (let progress = 1; progress <= 200; progress++) {
    send({ type: "call_progress", callId: "call-1", progress: { progress, total: 200 } });
  }
  send({ type: "cancel_call", callId: "call-1", from: "a" });
  const notify = "select pg_notify('kuromajutsu_messages', payload) from (values ";
  await rowsOf(url, `${notify}('no json'), ('[{"type":"call_progress"}, 1]')) as t (payload)`);
  send({ type: "call_progress", callId: "call-2", progress: { progress: 1, message: "半分" } });

  await until(() => b.heard.some((each) => callOf(each) === "call-2"));
  const heard = b.heard.slice(before);
  expect(heard).toContainEqual({
    type: "call_progress",
    callId: "call-1",
    progress: { progress: 200, total: 200 },
  });
  expect(heard).toContainEqual({ type: "cancel_call", callId: "call-1", from: "a" });
  expect(
    heard.filter((each) => each.type === "call_progress" && callOf(each) === "call-1").length,
  ).toBeLessThan(5);
  expect(a.heard).toEqual([]);
});

test("all parts of an answer about a directory reach the other server", async () => {
  const url = await aDatabaseLike("store", async (empty) => {
    await migratePostgres(empty);
  });
  const [a, b] = [await aServer(url), await aServer(url)];
  const send = (message: ServerMessage) => a.store.serverMessages?.send(message);
  const parts = ["one", "two"].map((id): ServerMessage => {
    const hosts = [{ id, hasDirectory: id === "one" }];
    return { type: "directory_answer", questionId: "q", hosts };
  });

  await until(() => {
    send({ type: "find_directory", questionId: "q", path: "/x" });
    for (const part of parts) send(part);
    return b.heard.length > 2;
  });

  expect(b.heard.slice(0, 3)).toEqual([
    { type: "find_directory", questionId: "q", path: "/x" },
    ...parts,
  ]);
});
