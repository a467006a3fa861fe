import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import type { RunnerEvent } from "../domain/agents/runner.ts";
import { startHost, type HostOptions } from "./host.ts";

const AGENT = resolve("test/kit/acp/agent.ts");

function aHost(behaviour: string, over: Partial<HostOptions> = {}) {
  const events: RunnerEvent[] = [];
  const host = startHost({
    command: [process.execPath, AGENT, behaviour],
    cwd: process.cwd(),
    prompt: "Do it.",
    access: "read-write",
    asksFirst: true,
    model: null,
    mode: null,
    sessionMeta: {},
    resumeSession: null,
    mcp: null,
    emit: (event) => events.push(event),
    ...over,
  });
  return { ...host, events, end: () => events.findLast(({ type }) => type === "end") };
}

test("a prompt ends with the text after the last tool call", async () => {
  const { done, events, end } = aHost("works");

  expect(await done).toBe(0);
  expect(events[0]).toEqual({ type: "session", sessionId: "session-1", model: null });
  expect(events).toContainEqual(expect.objectContaining({ type: "tool_finished", ok: true }));
  expect(end()).toMatchObject({ ok: true, text: "Done.", error: null });
});

test("a read-only role refuses a write, and the CLI goes on", async () => {
  const { done, events, end } = aHost("works", { access: "read-only" });

  expect(await done).toBe(0);
  expect(events).toContainEqual(expect.objectContaining({ type: "tool_finished", ok: false }));
  expect(end()).toMatchObject({ ok: true });
});

test("a CLI that writes without asking fails in a read-only role, after a warning", async () => {
  const { done, events, end } = aHost("writes-unasked", { access: "read-only", asksFirst: false });

  expect(await done).toBe(1);
  expect(events).toContainEqual({
    type: "warning",
    text: expect.stringContaining("cannot be guaranteed"),
  });
  expect(end()).toMatchObject({ ok: false, error: expect.stringContaining("without asking") });
});

test("a stop cancels the session politely", async () => {
  const { done, events, end, stop } = aHost("waits");
  await vi.waitUntil(() => events.some(({ type }) => type === "delta"), { timeout: 60_000 });

  stop();

  expect(await done).toBe(1);
  expect(end()).toMatchObject({ ok: false, error: "Cancelled." });
});

test("a continued session emits only what is new, and a lost one fails as such", async () => {
  const continued = aHost("works", { resumeSession: "session-1" });
  await continued.done;
  const texts = continued.events.flatMap((event) => (event.type === "delta" ? [event.text] : []));
  expect(texts).toEqual(["Working.", "Done."]);

  for (const lost of [
    aHost("works", { resumeSession: "session-2" }),
    aHost("forgets", { resumeSession: "session-1" }),
  ]) {
    expect(await lost.done).toBe(1);
    expect(lost.end()).toMatchObject({ ok: false, failure: { kind: "session-lost" } });
  }
});

test("a CLI that collides with another one at its first start is started again", async () => {
  const { done, events, end } = aHost("collides", { cwd: aTempDir() });

  expect(await done).toBe(0);
  expect(events.filter(({ type }) => type === "session")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "end")).toHaveLength(1);
  expect(end()).toMatchObject({ ok: true });
});

test("a retry is reported, and the text before it is not part of the answer", async () => {
  const { done, events, end } = aHost("retries");

  expect(await done).toBe(0);
  expect(events).toContainEqual({
    type: "retry",
    reason: "Retrying, attempt 1 of 10.",
    failure: { kind: "rate-limit", resetsAt: null },
  });
  expect(end()).toMatchObject({ ok: true, text: "Done." });
});

test("the mode of the session is chosen, and a CLI without it fails", async () => {
  const { done, events } = aHost("has-modes", { mode: "reading" });
  await done;
  const missing = aHost("works", { mode: "reading" });

  expect(await missing.done).toBe(1);

  expect(missing.end()).toMatchObject({ ok: false, error: expect.stringContaining("no mode") });
  expect(events).toContainEqual({ type: "delta", text: " In the mode reading." });
});

test.each([
  ["limited", { failure: { kind: "quota", resetsAt: null } }],
  ["fails-quietly", { failure: { kind: "signed-out" } }],
  [
    "signed-out",
    { failure: { kind: "signed-out" }, error: expect.stringContaining("not signed in") },
  ],
  ["dies", { error: "The CLI ended with exit code 7 before it answered." }],
])("a CLI that is `%s` fails with the reason", async (behaviour, expected) => {
  const { done, end } = aHost(behaviour);

  expect(await done).toBe(1);
  expect(end()).toMatchObject({ ok: false, ...expected });
});

test("a command that does not exist fails with the reason", async () => {
  const { done, end } = aHost("works", { command: ["/nowhere/agent"] });

  expect(await done).toBe(1);
  expect(end()).toMatchObject({ ok: false, error: expect.stringContaining("ENOENT") });
});
