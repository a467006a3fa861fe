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

/** The short times are for the tests' sake only. */
const probe = createHealthProbe({ lingerMs: 2_000, graceMs: 200 });
const never = new AbortController().signal;

function aQuestion(kind: Kind, over: Partial<Question> = {}): Question {
  return {
    runner: createCursorRunner(),
    executable: join(brokenCli(kind), "agent"),
    model: "claude-4-sonnet",
    prompt: "Hello, respond with exactly: OK",
    access: "read-write",
    env: { PATH: "/usr/bin:/bin" },
    secrets: [],
    timeoutMs: 10_000,
    ...over,
  };
}

const ask = (kind: Kind, over: Partial<Question> = {}) => probe.ask(aQuestion(kind, over), never);

/** Of this test's own process: other files probe at the same time. */
const probed = () => processesWith(`KUROMAJUTSU_PROBE_ID=${process.pid}.`);

test("a CLI that answers and exits with 0 passes, with the time it took", async () => {
  const answer = await ask("counts");
  expect(answer).toEqual({ ok: true, reason: null, responseMs: expect.any(Number) });
});

test.each<[Kind, RegExp]>([
  ["garbage", /ended without a result event/],
  ["fails", /Authentication required/],
  ["floods", /More than 2 MB of output/],
  ["takes-it-back", /exit code 3/],
  ["says-error", /usage limit reached/],
  ["no-interpreter", /could not be started.*ENOENT/],
])("one that is `%s` fails and says why", async (kind, reason) => {
  expect(await ask(kind)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
});

test("the CLI is asked as for a health check, not as for work", async () => {
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

test("a directory the CLI does not trust is a failure that says what to do, also with exit code 0", async () => {
  expect(await ask("no-trust")).toMatchObject({
    ok: false,
    reason: expect.stringContaining("does not trust the working directory"),
  });
});

test("one that is not there fails and says so", async () => {
  const answer = await ask("counts", { executable: "/nowhere/agent" });
  expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining("ENOENT") });
});

test("one that hangs and ignores signals is ended at its time limit", async () => {
  const answer = await ask("hangs", { timeoutMs: 300 });
  expect(answer).toEqual({ ok: false, reason: "No answer within 0.3 s.", responseMs: null });
  expect(probed()).toEqual([]);
});

test("one that answers but never exits is judged by its answer and ended", async () => {
  const answer = await ask("never-exits");
  expect(answer).toMatchObject({ ok: true, reason: expect.stringContaining("did not exit") });
  expect(probed()).toEqual([]);
});

test("a process left in another session is ended too, and nobody waits for it", async () => {
  expect(await ask("leaves-child")).toMatchObject({ ok: true, reason: null });
  expect(probed()).toEqual([]);
});

test("a key the CLI says aloud does not come back in the reason", async () => {
  const key = "key_0123456789abcdef";
  const answer = await ask("fails", {
    env: { PATH: "/usr/bin:/bin", CURSOR_API_KEY: key },
    secrets: [key],
  });
  expect(answer.reason).toBe(
    "Error: Authentication required. Key *** is no good. Run agent login.",
  );
});

test("it works in an empty directory that is gone afterwards", async () => {
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

test("when the daemon stops, a question is broken off at once", async () => {
  const stopping = new AbortController();
  const asked = probe.ask(aQuestion("hangs"), stopping.signal);
  await eventually("the CLI to run", () => probed().length > 0 || undefined);
  stopping.abort();
  expect(await asked).toMatchObject({ ok: false });
  expect(probed()).toEqual([]);
});

test("what a daemon that was killed had asked is ended before the first question", async () => {
  const mark = `KUROMAJUTSU_PROBE_ID=4194303.1.${process.pid}`;
  const [name = "", value = ""] = mark.split("=");
  const left = spawn("sleep", ["60"], { detached: true, env: { [name]: value }, stdio: "ignore" });
  left.on("error", () => {});
  await eventually("it to run", () => processesWith(mark).length > 0 || undefined);
  await createHealthProbe().ask(aQuestion("counts"), never);
  expect(processesWith(mark)).toEqual([]);
});
