import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../../../test/kit/daemon.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import {
  anUpstream,
  pidOf,
  settingsOf,
  STDIO_SERVER,
  stdioSettings,
  textOf,
} from "../../../test/kit/upstream/an-upstream.ts";

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

test("a slow server does not delay the others, and a call to it waits until it is ready, if it may still be sent then", async () => {
  const upstream = anUpstream({
    slow: stdioSettings(["--start-after", "1000"]),
    quick: stdioSettings(),
  });
  await until(() => upstream.server("quick").status === "ready");
  expect(upstream.server("slow").status).toBe("starting");
  const asked = ["at last", "too late"].map((text) =>
    upstream.ask("slow", "echo", { args: { text }, maySend: () => text === "at last" }),
  );

  const [sent, late] = await Promise.allSettled(asked);

  expect(sent).toMatchObject({ value: { content: [{ text: "at last" }] } });
  expect(late).toMatchObject({ reason: { kind: "unavailable" } });
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

test("a server that ends with a stack trace shows its error, not the frames", async () => {
  const script = join(aTempDir(), "throws.mjs");
  writeFileSync(
    script,
    "const deep = (n) => { if (n === 0) throw new Error('DATABASE_URL is not set'); deep(n - 1); };\n" +
      "Error.stackTraceLimit = 50; deep(50);",
  );
  const upstream = anUpstream({
    throws: settingsOf({ command: process.execPath, args: [script] }),
  });
  await upstream.settled(WAIT_MS);
  expect(upstream.server("throws").error).toBe(
    "It ended (exit code 1): Error: DATABASE_URL is not set",
  );
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
