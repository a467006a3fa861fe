import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { brokenCli } from "../../../test/kit/broken-clis.ts";
import { eventually } from "../../../test/kit/fake-agent/supervised.ts";
import { processesWith } from "../../../test/kit/processes.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { Question } from "../../app/ports/health.ts";
import { createCursorRunner } from "../runners/cursor/runner.ts";
import { createHealthProbe } from "./probe.ts";

type Kind = Parameters<typeof brokenCli>[0];

/** Shorter limits than in production. */
const probe = createHealthProbe({ lingerMs: 2_000, graceMs: 200 });
const never = new AbortController().signal;

function aQuestion(kind: Kind, over: Partial<Question> = {}): Question {
  return {
    runner: createCursorRunner(),
    executable: join(brokenCli(kind), "agent"),
    model: "claude-4-sonnet",
    prompt: "Hello, respond with exactly: OK",
    access: "read-write",
    mcp: { name: "kuromajutsu", command: ["/bin/kuromajutsu", "mcp"], variables: [] },
    env: { PATH: "/usr/bin:/bin" },
    secrets: [],
    timeoutMs: 10_000,
    ...over,
  };
}

const ask = (kind: Kind, over: Partial<Question> = {}) => probe.ask(aQuestion(kind, over), never);

/** Only processes started by this test: other test files run probes at the same time. */
const probed = () => processesWith(`KUROMAJUTSU_PROBE_ID=${process.pid}.`);

test("a CLI that answers and exits with 0 passes the health check, with its response time", async () => {
  const answer = await ask("counts");
  expect(answer).toEqual({
    ok: true,
    reason: null,
    responseMs: expect.any(Number),
    failure: null,
  });
});

test.each<[Kind, RegExp]>([
  ["garbage", /ended without a result event/],
  ["fails", /Authentication required/],
  ["floods", /More than 2 MB of output/],
  ["takes-it-back", /exit code 3/],
  ["says-error", /usage limit reached/],
  ["no-interpreter", /could not be started.*ENOENT/],
])("the health check of a CLI that is `%s` fails and says why", async (kind, reason) => {
  expect(await ask(kind)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
});

test("a probe starts the CLI with the purpose health-check", async () => {
  const runner = createCursorRunner();
  const purposes: unknown[] = [];
  await ask("counts", {
    runner: {
      ...runner,
      command(request, command) {
        purposes.push(request.purpose);
        return runner.command(request, command);
      },
    },
  });
  expect(purposes).toEqual(["health-check"]);
});

test("a CLI that does not trust the directory fails with advice, also with exit code 0", async () => {
  expect(await ask("no-trust")).toMatchObject({
    ok: false,
    reason: expect.stringContaining("does not trust the working directory"),
  });
});

test("the health check of a missing CLI fails and says so", async () => {
  const answer = await ask("counts", { executable: "/nowhere/agent" });
  expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining("ENOENT") });
});

test("a CLI that hangs and ignores signals is ended at its time limit", async () => {
  const answer = await ask("hangs", { timeoutMs: 300 });
  expect(answer).toEqual({
    ok: false,
    reason: "No answer within 0.3 s.",
    responseMs: null,
    failure: "timeout",
  });
  expect(probed()).toEqual([]);
});

test("a CLI that answers but never exits is judged by its answer and ended", async () => {
  const answer = await ask("never-exits");
  expect(answer).toMatchObject({ ok: true, reason: expect.stringContaining("did not exit") });
  expect(probed()).toEqual([]);
});

test("a probe ends processes that the CLI left in another session, without waiting for them", async () => {
  expect(await ask("leaves-child")).toMatchObject({ ok: true, reason: null });
  expect(probed()).toEqual([]);
});

test("a key that the CLI prints is redacted in the reason", async () => {
  const key = "key_0123456789abcdef";
  const answer = await ask("fails", {
    env: { PATH: "/usr/bin:/bin", CURSOR_API_KEY: key },
    secrets: [key],
  });
  expect(answer.reason).toBe(
    "Cursor is not signed in. Run `agent login`, or set CURSOR_API_KEY. The CLI said: Error: Authentication required. Key *** is no good. Run agent login.",
  );
});

test("a probe runs the CLI in an empty directory and removes it afterwards", async () => {
  const temporary = aTempDir();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const asked = ask("counts", { env: { PATH: "/usr/bin:/bin", PROBE_SLEEP: "0.2" } });
  const [made = ""] = await eventually("the directory", () =>
    readdirSync(temporary).length > 0 ? readdirSync(temporary) : undefined,
  );
  expect(statSync(join(temporary, made)).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(temporary, made))).toEqual([]);
  await asked;
  expect(readdirSync(temporary)).toEqual([]);
});

test("a probe is cancelled at once when the daemon stops", async () => {
  const stopping = new AbortController();
  const asked = probe.ask(aQuestion("hangs"), stopping.signal);
  await eventually("the CLI to run", () => probed().length > 0 || undefined);
  stopping.abort();
  expect(await asked).toMatchObject({ ok: false });
  expect(probed()).toEqual([]);
});

test("probe processes that a killed daemon left are ended before the first question", async () => {
  const mark = `KUROMAJUTSU_PROBE_ID=4194303.1.${process.pid}`;
  const [name = "", value = ""] = mark.split("=");
  const left = spawn("sleep", ["60"], { detached: true, env: { [name]: value }, stdio: "ignore" });
  left.on("error", () => {});
  await eventually("it to run", () => processesWith(mark).length > 0 || undefined);
  await createHealthProbe().ask(aQuestion("counts"), never);
  expect(processesWith(mark)).toEqual([]);
});
