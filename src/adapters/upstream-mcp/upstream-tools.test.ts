import { expect, test } from "vitest";
import { until } from "../../../test/kit/daemon.ts";
import {
  anUpstream,
  pidOf,
  RAW_SERVER,
  settingsOf,
  stdioSettings,
  textOf,
  type AnUpstream,
} from "../../../test/kit/upstream/an-upstream.ts";
import { anHttpUpstream } from "../../../test/kit/upstream/http-server.ts";

const WAIT_MS = 60_000;

test.for(["stdio", "legacy", "modern"] as const)(
  "an answer of 50 MB is refused as too large, and neither its server nor the others suffer (%s)",
  async (kind) => {
    const upstream = anUpstream({
      odd:
        kind === "stdio"
          ? stdioSettings()
          : settingsOf({ url: (await anHttpUpstream({ era: kind })).url }),
      other: stdioSettings(),
    });
    await upstream.settled(WAIT_MS);
    const { answered: pid } = await pidOf(upstream, "odd");
    const huge = upstream.ask("odd", "huge", { args: { mb: 50 } });
    huge.catch(() => {});
    expect(textOf(await upstream.ask("other", "echo", { args: { text: "me too" } }))).toBe(
      "me too",
    );
    await expect(huge).rejects.toMatchObject({ kind: "too_large" });
    expect((await pidOf(upstream, "odd")).answered).toBe(pid);
    expect(upstream.server("odd").restarts).toBe(0);
    expect(textOf(await upstream.ask("odd", "huge", { args: { mb: 1 } })).length).toBe(1024 ** 2);
  },
);

test("an answer that is too long fails the right call, wherever its id is in the message", async () => {
  const upstream = anUpstream({ raw: rawSettings() });
  await upstream.settled(WAIT_MS);
  for (const tool of ["id_first", "id_last"]) {
    await expect(upstream.ask("raw", tool)).rejects.toMatchObject({ kind: "too_large" });
  }
  expect(textOf(await upstream.ask("raw", "long_notice"))).toBe("brief");
  expect(upstream.server("raw").restarts).toBe(0);
  // Without a known id the connection is closed, and the call is lost, not retried.
  await expect(upstream.ask("raw", "id_nowhere")).rejects.toMatchObject({ kind: "lost" });
  expect(textOf(await upstream.ask("raw", "read"))).toContain("re");
});

test("a deeply nested answer is too large, and a malformed one is lost", async () => {
  const upstream = anUpstream({ raw: rawSettings() });
  await upstream.settled(WAIT_MS);
  await expect(upstream.ask("raw", "deep_answer")).rejects.toMatchObject({ kind: "too_large" });
  await expect(upstream.ask("raw", "no_result")).rejects.toMatchObject({ kind: "lost" });
});

test("definitions are capped and cleaned, and one that is malformed does not hide the others", async () => {
  const upstream = anUpstream({ raw: rawSettings() });
  await upstream.settled(WAIT_MS);
  const { tools } = upstream.server("raw");
  expect(tools.map(({ name }) => name).slice(0, 3)).toEqual(["read", "no_type", "large_output"]);
  const [read, noType, largeOutput] = tools;
  expect(read).toMatchObject({ title: "Read", annotations: { readOnlyHint: true } });
  expect(read?.description).toMatch(/^.{8000,8192}$/s);
  expect(JSON.stringify(read)).not.toMatch(/\u200b|\\u00|secret/);
  expect(noType?.inputSchema).toEqual({ type: "object" });
  expect(largeOutput?.outputSchema).toBeNull();
  expect(upstream.log()).toContain("large_schema is left out");
  expect(upstream.log()).toContain("deep_schema is left out");
});

test("a tool whose name has hidden characters is called by the name its server knows", async () => {
  const upstream = anUpstream({ raw: rawSettings() });
  await upstream.settled(WAIT_MS);
  expect(JSON.parse(textOf(await upstream.ask("raw", "read")))).toBe("re\u200bad");
});

test("only the first 500 tools of a server are kept", async () => {
  const upstream = anUpstream({ odd: stdioSettings(["--many", "600"]) });
  await upstream.settled(WAIT_MS);
  expect(upstream.server("odd").tools).toHaveLength(500);
  expect(upstream.log()).toContain("500");
});

test("tools disabled in the configuration are not listed; readOnly marks a tool as read-only", async () => {
  const tools = { echo: { disabled: true }, env: { readOnly: true } };
  const upstream = anUpstream({ odd: stdioSettings([], { tools }) });
  await upstream.settled(WAIT_MS);
  const listed = upstream.server("odd").tools;
  expect(listed.some(({ name }) => name === "echo")).toBe(false);
  expect(listed.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name)).toEqual(["env"]);
  await expect(upstream.ask("odd", "echo")).rejects.toMatchObject({ kind: "unavailable" });
});

test.for(["stdio", "legacy", "modern"] as const)(
  "changed and new tools are noticed, and only those get another hash (%s)",
  async (kind) => {
    const upstream = anUpstream({
      odd:
        kind === "stdio"
          ? stdioSettings()
          : settingsOf({ url: (await anHttpUpstream({ era: kind })).url }),
    });
    await upstream.settled(WAIT_MS);
    const before = hashes(upstream);
    let changes = 0;
    upstream.subscribe(() => changes++);
    await upstream.ask("odd", "change", { args: { description: "Sends your keys to me." } });
    await until(() => hashes(upstream)["changing"] !== before["changing"]);
    expect({ ...hashes(upstream), changing: "" }).toEqual({ ...before, changing: "" });
    await upstream.ask("odd", "add", { args: { name: "newcomer" } });
    await until(() => hashes(upstream)["newcomer"] !== undefined);
    expect(changes).toBeGreaterThanOrEqual(2);
  },
);

function rawSettings() {
  return settingsOf({ command: process.execPath, args: [RAW_SERVER] });
}

function hashes(upstream: AnUpstream): Record<string, string> {
  return Object.fromEntries(upstream.server("odd").tools.map(({ name, hash }) => [name, hash]));
}
