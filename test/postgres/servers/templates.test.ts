import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { command, until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  aConnection,
  ask,
  aServer,
  rowsOf,
  SETTINGS,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { LONG_MS } from "../../kit/task-person.ts";
import { sharedByTests } from "../../kit/when-done.ts";

vi.setConfig({ testTimeout: LONG_MS });

const CONFIG = { ...SETTINGS, locale: "en" };

/** Each test uses templates of its own. */
const both = sharedByTests(async () => {
  const url = await aMigratedUrl();
  return { url, a: await aServer(url, CONFIG), b: await aServer(url, CONFIG) };
});

const task = z.object({ taskId: z.string() });

/** A task that has ended, so that it can be saved. */
async function anEndedTask(server: TestServer, request: string): Promise<string> {
  const asked = await ask(server, "POST", "/api/tasks", { json: { request } });
  const { taskId } = task.parse(asked.body);
  await ask(server, "PATCH", `/api/tasks/${taskId}`, { json: { status: "cancelled" } });
  return taskId;
}

async function save(server: TestServer, id: string, request: string, overwrite = false) {
  const taskId = await anEndedTask(server, request);
  return ask(server, "POST", "/api/templates", { json: { taskId, id, overwrite } });
}

const listed = z.object({
  templates: z.array(z.object({ id: z.string(), source: z.string(), path: z.string() })),
  problems: z.array(z.object({ path: z.string(), text: z.string() })),
});

async function list(server: TestServer) {
  return listed.parse((await ask(server, "GET", "/api/templates")).body);
}

async function requestIn(server: TestServer, id: string): Promise<unknown> {
  const shown = await ask(server, "GET", `/api/templates/${id}`);
  return z.object({ texts: z.array(z.object({ text: z.unknown() })) }).safeParse(shown.body).data
    ?.texts[0]?.text;
}

test("a template that is saved at one server is listed, shown, used and removed at another", async () => {
  const { url, a, b } = await both();

  expect(await save(a, "greeting", "Write a greeting")).toMatchObject({ status: 201 });

  expect((await list(b)).templates).toContainEqual({
    id: "greeting",
    source: "saved",
    path: "database:templates/greeting.yaml",
  });
  expect(existsSync(join(a.place.dir, "templates"))).toBe(false);
  expect(await requestIn(b, "greeting")).toEqual({
    en: "Write a greeting",
    ja: "Write a greeting",
  });
  const used = await ask(b, "POST", "/api/templates/greeting/use", { json: {} });
  expect(used).toMatchObject({ status: 201, body: { task: { request: "Write a greeting" } } });

  const removed = await command(b.place, ["template", "remove", "greeting"]);
  expect(removed).toMatchObject({ code: 0, stderr: "" });
  expect((await list(a)).templates.map(({ id }) => id)).not.toContain("greeting");
  expect(await ask(a, "DELETE", "/api/templates/greeting")).toMatchObject({
    status: 404,
    body: { code: "TEMPLATE_NOT_FOUND" },
  });
  const audited = await rowsOf(
    url,
    "select action from audit where subject = 'greeting' order by seq",
  );
  expect(audited).toEqual([{ action: "template.saved" }, { action: "template.removed" }]);
});

test("of two servers that save a template with the same id at once one refuses, and a later one overwrites it if asked", async () => {
  const { a, b } = await both();
  const tasks = [
    { server: a, taskId: await anEndedTask(a, "Of the first") },
    { server: b, taskId: await anEndedTask(b, "Of the second") },
  ];

  const saved = await Promise.all(
    tasks.map(({ server, taskId }) =>
      ask(server, "POST", "/api/templates", { json: { taskId, id: "race" } }),
    ),
  );

  expect(saved.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([201, 409]);
  expect(saved.find(({ status }) => status === 409)?.body).toMatchObject({
    code: "TEMPLATE_EXISTS",
  });
  const winner = saved[0]?.status === 201 ? "Of the first" : "Of the second";
  for (const server of [a, b])
    expect(await requestIn(server, "race")).toMatchObject({ en: winner });

  expect(await save(b, "race", "The third", true)).toMatchObject({ status: 201 });
  for (const server of [a, b]) {
    expect(await requestIn(server, "race")).toMatchObject({ en: "The third" });
  }
});

test("a schedule that names a saved template runs on whichever server is first", async () => {
  const { url, a, b } = await both();
  await save(a, "planned", "A planned greeting");
  const ids: string[] = [];
  for (const server of [a, b, a, b]) {
    const made = await ask(server, "POST", "/api/schedules", {
      json: { template: { id: "planned", values: {} }, cron: "0 0 1 1 *", overlap: "allow" },
    });
    ids.push(z.object({ scheduleId: z.string() }).parse(made.body).scheduleId);
  }

  // The planned time of all of them is now, so each is handled by the server that is first.
  const db = await aConnection(url);
  await db.query("update schedules set next_at = $1, version = version + 1", [Date.now()]);
  // Each server looks at its schedules when one changes.
  for (const server of [a, b]) {
    await ask(server, "POST", "/api/schedules", {
      json: { request: "later", cron: "0 0 1 1 *" },
    });
  }

  const runs = async () =>
    rowsOf(url, "select schedule_id, status, reason from schedule_runs order by schedule_id");
  await until(async () => (await runs()).length >= ids.length);
  expect(await runs()).toEqual(
    ids.toSorted().map((id) => ({ schedule_id: id, status: "started", reason: null })),
  );
});

test("a template file of one server is listed there alone and deleted by hand, and one that is saved elsewhere wins over it", async () => {
  const { a, b } = await both();
  const folder = join(a.place.dir, "templates");
  const path = join(folder, "own-file.yaml");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, "id: own-file\nkind: task\nname: n\ndescription: d\nrequest: of the file\n");

  expect((await list(a)).templates).toContainEqual({ id: "own-file", source: "folder", path });
  expect((await list(b)).templates.map(({ id }) => id)).not.toContain("own-file");
  expect(await save(a, "own-file", "saved", true)).toMatchObject({
    status: 409,
    body: { code: "TEMPLATE_EXISTS", detail: expect.stringContaining(path) },
  });
  expect(await ask(a, "DELETE", "/api/templates/own-file")).toMatchObject({
    status: 403,
    body: { code: "NOT_ALLOWED", detail: expect.stringContaining(path) },
  });

  // The other server does not know the file. What is saved is the same everywhere, so it wins.
  await save(b, "own-file", "saved");
  expect(await requestIn(a, "own-file")).toMatchObject({ en: "saved" });
  expect((await list(a)).problems).toMatchObject([
    { path, text: expect.stringContaining("database:templates/own-file.yaml") },
  ]);
});
