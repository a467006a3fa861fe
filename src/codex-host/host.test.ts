import { appendFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import type { RunnerEvent } from "../domain/agents/runner.ts";
import { startHost, type HostOptions } from "./host.ts";

const SERVER = resolve("test/kit/codex/app-server.mjs");

function aHost(behaviour: string, over: Partial<HostOptions> = {}, file = "none") {
  const events: RunnerEvent[] = [];
  const inbox = join(aTempDir(), "inbox.ndjson");
  const host = startHost({
    command: [process.execPath, SERVER, behaviour, file],
    cwd: process.cwd(),
    prompt: "Do it.",
    access: "read-write",
    model: null,
    resumeSession: null,
    server: "kuromajutsu",
    inbox,
    apiKey: undefined,
    emit: (event) => events.push(event),
    ...over,
  });
  return {
    ...host,
    events,
    end: () => events.findLast(({ type }) => type === "end"),
    texts: () => events.flatMap((event) => (event.type === "message" ? [event.text] : [])),
    works: () => vi.waitUntil(() => events.some(({ type }) => type === "delta"), SOON),
    send: (id: string, text: string) => appendFileSync(inbox, `${JSON.stringify({ id, text })}\n`),
  };
}

const SOON = { timeout: 60_000 };

/** Our server may be ready before or after the session is known. */
const isOther = (line: string) => !line.startsWith('{"type":"mcp"');

/** What the app server got, and the arguments that the host added. */
async function echoed(over: Partial<HostOptions>) {
  const { done, texts } = aHost("echoes", over);
  expect(await done).toBe(0);
  return JSON.parse(texts()[0] ?? "");
}

test("a recorded run of the app server gives the recorded events", async () => {
  const { done, events } = aHost("replays", {}, "test/kit/streams/codex-app-server.ndjson");

  expect(await done).toBe(0);
  const recorded = readFileSync("test/kit/streams/codex-host-whole-run.ndjson", "utf8");
  const lines = events.map((event) => JSON.stringify(event));
  expect(lines).toHaveLength(25);
  expect(lines.filter(isOther)).toEqual(recorded.trimEnd().split("\n").filter(isOther));
});

test.each([
  ["read-only", "read-only"],
  ["read-write", "danger-full-access"],
] as const)("a %s role starts a thread with the sandbox %s", async (access, sandbox) => {
  const { seen, argv } = await echoed({ access, model: "gpt-7" });

  const params = { cwd: process.cwd(), approvalPolicy: "never", sandbox, model: "gpt-7" };
  expect(seen).toContainEqual({ method: "thread/start", params });
  expect(argv).toEqual([]);
});

test("a conversation is continued with the sandbox of this role, and without a model", async () => {
  const { seen } = await echoed({ access: "read-only", resumeSession: "thread-1" });

  const params = { cwd: process.cwd(), approvalPolicy: "never", sandbox: "read-only" };
  expect(seen).toContainEqual({
    method: "thread/resume",
    params: { ...params, threadId: "thread-1", excludeTurns: true },
  });
});

test("a key of the environment is used and not written to a file", async () => {
  const { seen, argv } = await echoed({ apiKey: "sk-1" });

  const params = { type: "apiKey", apiKey: "sk-1" };
  expect(seen).toContainEqual({ method: "account/login/start", params });
  expect(argv).toEqual(["-c", 'cli_auth_credentials_store="ephemeral"']);
});

test("a message of the inbox reaches the turn and is reported when the model gets it", async () => {
  const host = aHost("waits");
  await host.works();

  host.send("ntf-1", "too late");
  host.send("ntf-2", "change");
  host.send("ntf-3", "finish");

  expect(await host.done).toBe(0);
  expect(host.events.filter(({ type }) => type === "steered")).toEqual([
    { type: "steered", id: "ntf-2" },
    { type: "steered", id: "ntf-3" },
  ]);
  expect(host.texts()).toEqual(["change", "finish"]);
});

test("a stop interrupts the turn politely", async () => {
  const host = aHost("waits");
  await host.works();

  host.stop();

  expect(await host.done).toBe(1);
  expect(host.end()).toMatchObject({ ok: false, error: "The turn was interrupted." });
});

test("a stop ends a CLI that does not interrupt its turn", async () => {
  const host = aHost("stubborn");
  await host.works();

  host.stop();

  expect(await host.done).toBe(1);
  expect(host.end()).toMatchObject({ ok: false, error: "Cancelled." });
});

test.each([
  ["asks", "read-write", { decision: "accept" }],
  ["asks", "read-only", { decision: "decline" }],
  ["asksUnknown", "read-write", { code: -32_601, message: "item/new/thing is not supported." }],
] as const)("an app server that %s in a %s role gets %j", async (behaviour, access, answer) => {
  const { done, texts } = aHost(behaviour, { access });

  expect(await done).toBe(0);
  expect(JSON.parse(texts()[0] ?? "")).toEqual(answer);
});

test("the turn of a sub-agent does not end the run", async () => {
  const { done, events, end } = aHost("delegates");

  expect(await done).toBe(0);
  expect(events.filter(({ type }) => type === "delta")).toEqual([]);
  expect(end()).toMatchObject({ ok: true });
});

test("a lost conversation ends the run with the words of the CLI", async () => {
  const { done, end } = aHost("echoes", { resumeSession: "lost" });

  expect(await done).toBe(1);
  expect(end()).toMatchObject({ ok: false, error: "no rollout found for thread id lost" });
});

test("an app server that exits before its first answer is started again", async () => {
  const { done, end } = aHost("races", {}, join(aTempDir(), "started"));

  expect(await done).toBe(0);
  expect(end()).toMatchObject({ ok: true });
});

test("an app server that dies in a turn leaves no end, so that its stderr is the reason", async () => {
  const { done, end } = aHost("dies");

  expect(await done).toBe(1);
  expect(end()).toBeUndefined();
});
