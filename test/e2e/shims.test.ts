import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aDaemon,
  aPlace,
  aStdioClient,
  readDaemonFile,
  until,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";

/** The daemon serves before its start is complete; the log says when it is. */
async function readyLog(place: Place): Promise<string> {
  const read = () => readFileSync(join(place.dataDir, "daemon.log"), "utf8");
  await until(() => read().includes(" Ready. "));
  return read();
}

/** Repeats a call that was open when the daemon died, as its answer says. */
async function listRoles({ call }: TestClient): Promise<Record<string, unknown>> {
  const answer = await call("list_roles");
  return answer["code"] === "DAEMON_RESTARTED" ? call("list_roles") : answer;
}

test("ten stdio clients started at once with no daemon running start exactly one", async () => {
  const place = aPlace();

  const clients = await Promise.all(Array.from({ length: 10 }, () => aStdioClient(place)));
  const answers = await Promise.all(clients.map(({ call }) => call("list_roles")));

  expect(answers.every((answer) => "roles" in answer)).toBe(true);
  const log = await readyLog(place);
  expect(log.match(/ Ready\. /g)).toHaveLength(1);
  expect(log).not.toContain("already runs");
});

test("after kill -9 of the daemon ten connected stdio clients start exactly one new daemon", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const clients = await Promise.all(Array.from({ length: 10 }, () => aStdioClient(place)));

  await daemon.kill("SIGKILL");
  const answers = await Promise.all(clients.map(listRoles));

  expect(answers.every((answer) => "roles" in answer)).toBe(true);
  const log = await readyLog(place);
  expect(log.match(/ Ready\. /g)).toHaveLength(1);
  expect(readDaemonFile(place)?.pid).not.toBe(daemon.pid);
});

test("stdio clients of the modern protocol continue after kill -9, and their subscription is renewed", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const { client, call } = await aStdioClient(place, { era: "modern" });
  expect(await call("list_roles")).toHaveProperty("roles");
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);
  const subscription = await client.listen({ toolsListChanged: true });

  await daemon.kill("SIGKILL");
  const next = await aDaemon(place);
  expect(await listRoles({ client, call })).toHaveProperty("roles");

  next.process.kill("SIGHUP");
  await expect.poll(() => changes).toBe(1);
  await subscription.close();
});

test("a stdio client with another runtime directory than the daemon's still finds it", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const { XDG_RUNTIME_DIR: _dropped, ...env } = place.env;

  const client = await aStdioClient({ ...place, env: { ...env, TMPDIR: place.dir } });

  expect(await client.call("list_roles")).toHaveProperty("roles");
  expect(readDaemonFile(place)?.pid).toBe(daemon.pid);
});
