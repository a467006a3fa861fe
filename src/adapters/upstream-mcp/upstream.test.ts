import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../../../test/kit/daemon.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import {
  anUpstream,
  RAW_SERVER,
  settingsOf,
  STDIO_SERVER,
  stdioSettings,
  type AnUpstream,
} from "../../../test/kit/upstream/an-upstream.ts";
import { anHttpUpstream } from "../../../test/kit/upstream/http-server.ts";
import {
  UpstreamFault,
  type UpstreamAnswer,
  type UpstreamProgress,
} from "../../app/ports/upstream.ts";

const WAIT_MS = 60_000;

test("a stdio server's tools are listed page by page, with title, schemas and a hash", async () => {
  const upstream = anUpstream({ odd: stdioSettings(["--many", "25"]) });
  await upstream.settled(WAIT_MS);
  const { status, transport, error, tools } = upstream.server("odd");
  expect({ status, transport, error }).toEqual({
    status: "ready",
    transport: "stdio",
    error: null,
  });
  expect(tools.length).toBeGreaterThan(35);
  const echo = tools.find(({ name }) => name === "echo");
  expect(echo).toMatchObject({ server: "odd", inputSchema: { type: "object" }, isReadOnly: false });
  expect(echo?.hash).toMatch(/^[0-9a-f]{64}$/);
});

test("when the list of servers changes, unchanged servers stay connected", async () => {
  const upstream = anUpstream({ stays: stdioSettings(), goes: stdioSettings() });
  await upstream.settled(WAIT_MS);
  const pid = await pidOf(upstream, "stays");

  upstream.replace({ comes: stdioSettings(["--many", "2"]), stays: stdioSettings() });
  await upstream.settled(WAIT_MS);

  expect(upstream.servers().map(({ name, status }) => [name, status])).toEqual([
    ["comes", "ready"],
    ["stays", "ready"],
  ]);
  expect(await pidOf(upstream, "stays")).toEqual(pid);
  await expect(upstream.ask("goes", "echo")).rejects.toMatchObject({ kind: "unavailable" });
});

test("a changed server is closed once its calls under way have their answers", async () => {
  const upstream = anUpstream({ odd: stdioSettings() });
  await upstream.settled(WAIT_MS);
  const before = await pidOf(upstream, "odd");
  const underWay = Promise.withResolvers<void>();
  const call = upstream.ask("odd", "progress", {
    args: { steps: 3, everyMs: 200 },
    onProgress: () => underWay.resolve(),
  });
  await underWay.promise;

  upstream.replace({ odd: stdioSettings([], { timeout_ms: 9_000 }) });
  // Its tools stay listed meanwhile: a call waits for the new connection.
  expect(upstream.server("odd").status).toBe("starting");
  expect(upstream.server("odd").tools.length).toBeGreaterThan(10);
  await upstream.settled(WAIT_MS);

  expect(await pidOf(upstream, "odd")).not.toEqual(before);
  expect(textOf(await call)).toBe("all steps done");
  await until(() => !existsSync(`/proc/${before.answered}`));
});

test("replacing the servers after close starts nothing", async () => {
  const upstream = anUpstream({});
  await upstream.close();

  upstream.replace({ odd: stdioSettings() });

  expect(upstream.servers()).toEqual([]);
});

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

test("the list of servers is the same object until something changes", async () => {
  const upstream = anUpstream({ odd: stdioSettings() });
  await upstream.settled(WAIT_MS);
  const first = upstream.servers();
  expect(upstream.servers()).toBe(first);
  await upstream.ask("odd", "add", { args: { name: "newcomer" } });
  await until(() => upstream.servers() !== first);
});

test("a missing, silent, garbled or crashing server says what is wrong, and a good one is ready", async () => {
  const upstream = anUpstream(
    {
      missing: settingsOf({ command: "no-such-program-anywhere" }),
      nowhere: settingsOf({ command: "true", cwd: "no/such/directory" }),
      mute: stdioSettings(["--mute"]),
      garbage: stdioSettings(["--garbage"]),
      ended: stdioSettings(["--exit-at-once"]),
      refused: settingsOf({ url: "http://127.0.0.1:9/mcp" }),
      off: stdioSettings([], { disabled: true }),
      good: stdioSettings(),
    },
    { limits: { startMs: 12_000 } },
  );
  await until(() => upstream.server("good").status === "ready");
  expect(textOf(await upstream.ask("good", "echo", { args: { text: "fine" } }))).toBe("fine");
  await upstream.settled(WAIT_MS);
  const states = Object.fromEntries(
    upstream.servers().map(({ name, status, error }) => [name, `${status}: ${error}`]),
  );
  expect(states["missing"]).toMatch(/^failed: The command no-such-program-anywhere was not found/);
  expect(states["nowhere"]).toMatch(/^failed: Its working directory .* does not exist/);
  expect(states["mute"]).toMatch(/^failed: It did not answer in time/);
  expect(states["ended"]).toMatch(/^failed: It ended \(exit code 3\): the licence has expired/);
  expect(states["refused"]).toMatch(/^failed: .*(ECONNREFUSED|fetch failed|bad port)/);
  expect(states["off"]).toBe("stopped: null");
  // Lines that are no messages are skipped; the server works.
  expect(states["garbage"]).toBe("ready: null");
  expect(upstream.log()).toContain("Server listening…");
  await expect(upstream.ask("missing", "x")).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("was not found"),
  });
});

test("a slow server does not delay the others, and a call to it waits until it is ready", async () => {
  const upstream = anUpstream({
    slow: stdioSettings(["--start-after", "1000"]),
    quick: stdioSettings(),
  });
  await until(() => upstream.server("quick").status === "ready");
  expect(upstream.server("slow").status).toBe("starting");
  expect(textOf(await upstream.ask("slow", "echo", { args: { text: "at last" } }))).toBe("at last");
});

test("a server that keeps ending is restarted with back-off", async () => {
  const upstream = anUpstream(
    { ended: stdioSettings(["--exit-at-once"]) },
    { limits: { firstPauseMs: 10, longestPauseMs: 20 } },
  );
  await until(() => upstream.server("ended").restarts >= 3);
  const said = upstream.log().match(/not available/g) ?? [];
  expect(said).toHaveLength(1);
});

test("a server inherits only allowed variables, plus its own env", async () => {
  const upstream = anUpstream(
    { odd: stdioSettings([], { env: { HR_TOKEN: "${env:HR_KEY}!", MODE: "test" } }) },
    {
      variables: {
        PATH: process.env["PATH"],
        LANG: "ja_JP.UTF-8",
        HR_KEY: "abc",
        ANTHROPIC_API_KEY: "vendor",
        KUROMAJUTSU_AGENT_TOKEN: "ours",
        KUROMAJUTSU_DATA_DIR: "/ours",
      },
    },
  );
  await upstream.settled(WAIT_MS);
  const env = z
    .record(z.string(), z.string())
    .parse(JSON.parse(textOf(await upstream.ask("odd", "env"))));
  expect(env).toMatchObject({ HR_TOKEN: "abc!", MODE: "test", LANG: "ja_JP.UTF-8" });
  expect(Object.keys(env).filter((name) => /KUROMAJUTSU|ANTHROPIC|HR_KEY/.test(name))).toEqual([]);
});

test("a missing variable, or one of ours, is a clear error and not retried", async () => {
  const upstream = anUpstream({
    absent: stdioSettings([], { env: { KEY: "${env:NOT_THERE}" } }),
    ours: stdioSettings([], { env: { KEY: "${env:KUROMAJUTSU_AGENT_TOKEN}" } }),
    header: settingsOf({ url: "http://127.0.0.1:9/mcp", headers: { a: "${env:NOT_THERE}" } }),
  });
  await upstream.settled(WAIT_MS);
  expect(upstream.server("absent")).toMatchObject({
    status: "failed",
    error: "env.KEY asks for NOT_THERE, which is not set in the daemon's environment.",
    restarts: 0,
  });
  expect(upstream.server("ours").error).toContain("not given to upstream servers");
  expect(upstream.server("header").error).toContain("headers.a asks for NOT_THERE");
});

test("secrets that a server repeats are redacted in its error", async () => {
  const script = join(aTempDir(), "leaky.mjs");
  writeFileSync(script, "process.stderr.write(`bad key ${process.env.KEY}\\n`); process.exit(1);");
  const upstream = anUpstream(
    { leaky: settingsOf({ command: process.execPath, args: [script], env: { KEY: "${env:K}" } }) },
    { variables: { PATH: process.env["PATH"], K: "hunter2-hunter2" } },
  );
  await upstream.settled(WAIT_MS);
  expect(upstream.server("leaky").error).toContain("bad key ***");
  expect(upstream.log()).not.toContain("hunter2");
});

test("closing ends the servers and all they have started, even if they ignore signals", async () => {
  const upstream = anUpstream({
    parent: stdioSettings(["--child"]),
    stubborn: stdioSettings(["--stubborn"]),
    mute: stdioSettings(["--mute"]),
  });
  await until(() =>
    ["parent", "stubborn"].every((name) => upstream.server(name).status === "ready"),
  );
  const groups = [
    (await pidOf(upstream, "parent")).answered,
    (await pidOf(upstream, "stubborn")).answered,
  ];
  expect(groups.map(isGroupAlive)).toEqual([true, true]);
  await upstream.close();
  expect(groups.map(isGroupAlive)).toEqual([false, false]);
  expect(upstream.servers().map(({ status }) => status)).toEqual(["stopped", "stopped", "stopped"]);
});

test("a server started through a shell ends with its whole group after a crash too", async () => {
  const upstream = anUpstream({
    shell: settingsOf({
      command: "/bin/sh",
      args: ["-c", `sleep 1000 & "${process.execPath}" "${STDIO_SERVER}"`],
    }),
  });
  await upstream.settled(WAIT_MS);
  const pid = (await pidOf(upstream, "shell")).answered;
  const group = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[2]);
  await expect(upstream.ask("shell", "crash")).rejects.toMatchObject({ kind: "lost" });
  await until(() => !isGroupAlive(group));
});

function rawSettings() {
  return settingsOf({ command: process.execPath, args: [RAW_SERVER] });
}

function textOf({ content }: UpstreamAnswer): string {
  const [block] = content;
  return typeof block?.["text"] === "string" ? block["text"] : "";
}

async function pidOf(upstream: AnUpstream, server: string): Promise<{ answered: number }> {
  return { answered: Number(textOf(await upstream.ask(server, "pid"))) };
}

function hashes(upstream: AnUpstream): Record<string, string> {
  return Object.fromEntries(upstream.server("odd").tools.map(({ name, hash }) => [name, hash]));
}

/** Does the group have a process that is no zombie? */
function isGroupAlive(group: number): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [state, , pgrp] = (
        readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1] ?? ""
      ).split(" ");
      return Number(pgrp) === group && state !== "Z";
    } catch {
      return false;
    }
  });
}
