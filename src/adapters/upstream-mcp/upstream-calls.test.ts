import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../../test/kit/daemon.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import {
  anUpstream,
  settingsOf,
  stdioSettings,
  textOf,
} from "../../../test/kit/upstream/an-upstream.ts";
import { anHttpUpstream } from "../../../test/kit/upstream/http-server.ts";
import { UpstreamFault, type UpstreamProgress } from "../../app/ports/upstream.ts";

const WAIT_MS = 60_000;

test("arguments, structured answers and the idempotency key pass through", async () => {
  const upstream = anUpstream({ odd: stdioSettings() });
  await upstream.settled(WAIT_MS);
  const answer = await upstream.ask("odd", "echo", {
    args: { text: "こんにちは" },
    idempotencyKey: "k-7",
  });
  expect(answer.isError).toBe(false);
  expect(textOf(answer)).toBe("こんにちは");
  expect(answer.structuredContent).toEqual({ text: "こんにちは", key: "k-7" });
});

test("a tool error is an answer; a protocol error rejects the call with its message", async () => {
  const upstream = anUpstream({ odd: stdioSettings() });
  await upstream.settled(WAIT_MS);
  expect(await upstream.ask("odd", "fail")).toMatchObject({ isError: true });
  await expect(upstream.ask("odd", "refuse")).rejects.toMatchObject({
    kind: "rejected",
    message: expect.stringContaining("I will not."),
  });
});

test.for(["stdio", "http"] as const)(
  "progress is forwarded over %s and keeps a call alive that takes longer than its limit",
  async (kind) => {
    const settings = { timeout_ms: 4_000 };
    const upstream = anUpstream({
      odd:
        kind === "stdio"
          ? stdioSettings([], settings)
          : settingsOf({ url: (await anHttpUpstream()).url, ...settings }),
    });
    await upstream.settled(WAIT_MS);
    const seen: UpstreamProgress[] = [];
    const answer = await upstream.ask("odd", "progress", {
      args: { steps: 6, everyMs: 1_000 },
      onProgress: (progress) => seen.push(progress),
    });
    expect(textOf(answer)).toBe("all steps done");
    expect(seen.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seen[5]).toEqual({ progress: 6, total: 6, message: "step 6" });
  },
);

test("a call without progress ends with a timeout, and the server gets a cancellation", async () => {
  const journal = join(aTempDir(), "journal");
  const upstream = anUpstream({
    odd: stdioSettings(["--journal", journal], { timeout_ms: 200 }),
  });
  await upstream.settled(WAIT_MS);
  await expect(upstream.ask("odd", "never")).rejects.toMatchObject({ kind: "timeout" });
  await until(() => readFileSync(journal, "utf8").includes("never was cancelled"));
});

test.for(["stdio", "legacy", "modern"] as const)(
  "a cancelled call is cancelled at the server too (%s)",
  async (kind) => {
    const journal = join(aTempDir(), "journal");
    const upstream = anUpstream({
      odd:
        kind === "stdio"
          ? stdioSettings(["--journal", journal])
          : settingsOf({ url: (await anHttpUpstream({ journal, era: kind })).url }),
    });
    await upstream.settled(WAIT_MS);
    const cancel = new AbortController();
    const call = upstream.ask("odd", "never", { signal: cancel.signal });
    call.catch(() => {});
    await until(() => existsSync(journal));
    cancel.abort();
    await expect(call).rejects.toMatchObject({ kind: "cancelled" });
    await until(() => readFileSync(journal, "utf8").includes("never was cancelled"));
  },
);

test("a call during which the server crashes is lost, and the next one works again", async () => {
  const upstream = anUpstream({ odd: stdioSettings(), other: stdioSettings() });
  await upstream.settled(WAIT_MS);
  const unaffected = upstream.ask("other", "slow", { args: { ms: 500 } });
  await expect(upstream.ask("odd", "crash")).rejects.toMatchObject({ kind: "lost" });
  expect(upstream.server("odd")).toMatchObject({
    status: "starting",
    error: expect.stringContaining("exit code 9"),
  });
  // The call waits for the restart instead of failing.
  expect(textOf(await upstream.ask("odd", "echo", { args: { text: "again" } }))).toBe("again");
  expect(upstream.server("odd")).toMatchObject({ status: "ready", error: null, restarts: 1 });
  expect(textOf(await unaffected)).toBe("slept");
});

test.for(["legacy", "modern"] as const)(
  "a call is lost when the HTTP server disconnects before or during its answer, and the next one works (%s)",
  async (era) => {
    const upstream = anUpstream({ web: settingsOf({ url: (await anHttpUpstream({ era })).url }) });
    await upstream.settled(WAIT_MS);
    await expect(upstream.ask("web", "crash")).rejects.toMatchObject({ kind: "lost" });
    await until(() => upstream.server("web").status === "ready");
    const seen: UpstreamProgress[] = [];
    const broken = upstream.ask("web", "crash", {
      args: { afterBeat: true },
      onProgress: (progress) => seen.push(progress),
    });
    await expect(broken).rejects.toMatchObject({ kind: "lost" });
    expect(seen).toHaveLength(1);
    await until(async () => {
      const answer = await upstream
        .ask("web", "echo", { args: { text: "next" } })
        .catch(() => null);
      return answer !== null && textOf(answer) === "next";
    });
  },
);

test("an HTTP server that is gone is unavailable, and connected again when it is back", async () => {
  const first = await anHttpUpstream();
  const upstream = anUpstream({ web: settingsOf({ url: first.url }) });
  await upstream.settled(WAIT_MS);
  await first.kill();
  // A call whose connection breaks may have been received; only the next one certainly was not.
  await until(async () => {
    const fault: unknown = await upstream.ask("web", "echo").catch((error: unknown) => error);
    return fault instanceof UpstreamFault && fault.kind === "unavailable";
  });
  await until(() => upstream.server("web").status !== "ready");

  await anHttpUpstream({ port: Number(new URL(first.url).port) });
  await until(() => upstream.server("web").status === "ready");
  expect(textOf(await upstream.ask("web", "echo", { args: { text: "back" } }))).toBe("back");
});

test.for(["legacy", "modern"] as const)(
  "an HTTP server that speaks only %s is understood",
  async (era) => {
    const server = await anHttpUpstream({ era });
    const upstream = anUpstream({ web: settingsOf({ url: server.url }) });
    await upstream.settled(WAIT_MS);
    expect(upstream.server("web")).toMatchObject({ status: "ready", transport: "http" });
    const { structuredContent } = await upstream.ask("web", "structured");
    expect(structuredContent).toEqual({ answer: 42 });
  },
);

test.for([
  [400, "rejected"],
  [403, "rejected"],
  [429, "rejected"],
  [404, "unavailable"],
  [408, "lost"],
  [499, "lost"],
  [500, "lost"],
  [502, "lost"],
  [504, "lost"],
] as const)("a call answered with HTTP status %i is %s", async ([callStatus, kind]) => {
  const server = await anHttpUpstream({ callStatus });
  const upstream = anUpstream({ web: settingsOf({ url: server.url }) });
  await upstream.settled(WAIT_MS);

  await expect(upstream.ask("web", "echo")).rejects.toMatchObject({ kind });
});

test("headers reach an HTTP server, with variables filled in", async () => {
  const server = await anHttpUpstream();
  const upstream = anUpstream(
    { web: settingsOf({ url: server.url, headers: { authorization: "Bearer ${env:HR_KEY}" } }) },
    { variables: { HR_KEY: "top-secret" } },
  );
  await upstream.settled(WAIT_MS);
  await upstream.ask("web", "echo");
  expect(server.headers.every((each) => each.get("authorization") === "Bearer top-secret")).toBe(
    true,
  );
});
