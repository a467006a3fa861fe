import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endAll, processesWith } from "../../../test/kit/processes.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { CommandRun } from "../../app/ports/workspace-tools.ts";
import { createWorkspaceTools } from "./create-workspace-tools.ts";
import { COMMAND_MARK } from "./run-command.ts";

const PATH = process.env["PATH"] ?? "";
const tools = createWorkspaceTools({
  variables: { PATH, HOME: "/home/a", SLACK_BOT_TOKEN: "xoxb-1", MINE: "yes" },
  extraNames: ["MINE"],
});
let marks = 0;

function aRun(command: string, over: Partial<CommandRun> = {}): CommandRun {
  const mark = `wsp-${process.pid}-${marks++}`;
  onTestFinished(() => endAll(marked(mark)));
  return { command, directory: aTempDir(), variables: {}, timeoutMs: 30_000, mark, ...over };
}

const marked = (mark: string) => processesWith(`${COMMAND_MARK}=${mark}`);

test("a command runs in its directory, and its output keeps the order of both streams", async () => {
  const run = aRun("pwd; echo one >&2; printf '\\033[31mtwo\\033[0m\\n'; echo three >&2; exit 3");

  expect(await tools.run(run)).toEqual({
    exitCode: 3,
    timedOut: false,
    output: `${run.directory}\none\ntwo\nthree\n`,
  });
});

test("a syntax error is part of the output", async () => {
  const end = await tools.run(aRun("if then"));

  expect(end.exitCode).toBe(2);
  expect(end.output).toMatch(/syntax error/i);
});

test("the command gets the variables of agents and its own, and no secret of the daemon", async () => {
  const { output } = await tools.run(aRun("env", { variables: { PORT: "20000" } }));
  const names = output.split("\n").map((line) => line.split("=")[0]);

  expect(output).toContain("PORT=20000");
  expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "MINE"]));
  expect(names).not.toContain("SLACK_BOT_TOKEN");
});

test("the end of a long output stays, in whole characters", async () => {
  const { output } = await tools.run(
    aRun("i=0; while [ $i -lt 9000 ]; do echo ああああああああああ$i; i=$((i+1)); done"),
  );

  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(65_536);
  expect(Buffer.byteLength(output)).toBeGreaterThan(65_000);
  expect(output).toMatch(/あ8999\n$/);
  expect(output).not.toContain("\u{fffd}");
});

test("a listener gets the newest line a few times a second, and the last one", async () => {
  const lines: string[] = [];
  const run = aRun("seq 1 20000; printf '10%%\\r20%%\\r'; printf 'last'", {
    onLine: (line) => void lines.push(line),
  });

  await tools.run(run);

  expect(lines.at(-1)).toBe("last");
  expect(lines.length).toBeLessThan(100);
});

test("at the time limit everything ends, also a child in a session of its own that ignores SIGTERM", async () => {
  const run = aRun(`trap '' TERM; echo begun; setsid sh -c "trap '' TERM; sleep 300" & sleep 300`, {
    timeoutMs: 500,
  });

  const end = await tools.run(run);

  expect(end).toEqual({ exitCode: null, timedOut: true, output: "begun\n" });
  expect(marked(run.mark)).toEqual([]);
}, 30_000);

test("a polite command may tidy up at its time limit", async () => {
  const run = aRun("trap 'echo tidied; exit 0' TERM; echo begun; while :; do sleep 0.05; done", {
    timeoutMs: 500,
  });

  expect(await tools.run(run)).toEqual({
    exitCode: null,
    timedOut: true,
    output: expect.stringContaining("begun\n"),
  });
  expect((await tools.run(run)).output).toContain("tidied");
});

test("an abort ends the command and what it started", async () => {
  const stop = new AbortController();
  const run = aRun("setsid sleep 300 & echo begun; sleep 300", {
    signal: stop.signal,
    onLine: () => stop.abort(),
  });

  expect(await tools.run(run)).toEqual({ exitCode: null, timedOut: false, output: "begun\n" });
  expect(marked(run.mark)).toEqual([]);
});

test("a command that a signal ended has the exit code of a shell", async () => {
  expect((await tools.run(aRun("kill -9 $$"))).exitCode).toBe(137);
});

test("a directory that is gone is a failed command with a reason", async () => {
  const end = await tools.run(aRun("true", { directory: "/nonexistent" }));

  expect(end).toMatchObject({ exitCode: 127, timedOut: false });
  expect(end.output).toContain("ENOENT");
});

// A daemon of another test may end what the killed one left before this test looks at it.
const AGAIN = { retry: 2, timeout: 60_000 };

test("what a killed daemon left behind is ended by its mark, and nothing else", AGAIN, async () => {
  const home = aTempDir();
  const [mark, other] = [`wsp-left-${process.pid}`, `wsp-other-${process.pid}`];
  onTestFinished(() => endAll([...marked(mark), ...marked(other)]));
  const command = "echo begun; setsid sleep 300 & sleep 300";
  const daemon = join(home, "daemon.ts");
  const source = new URL("./create-workspace-tools.ts", import.meta.url).pathname;
  writeFileSync(
    daemon,
    `import { writeFileSync } from "node:fs";
import { createWorkspaceTools } from ${JSON.stringify(source)};
const tools = createWorkspaceTools({ variables: process.env, extraNames: [] });
void tools.run({ command: ${JSON.stringify(command)}, directory: "/", variables: {}, timeoutMs: 300_000, mark: ${JSON.stringify(mark)}, onLine: () => writeFileSync(${JSON.stringify(join(home, "begun"))}, "1") });
`,
  );
  // This process lives on: other daemons of this machine end what dead ones left.
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  void tools.run({
    command,
    directory: "/",
    variables: {},
    timeoutMs: 300_000,
    mark: other,
    signal: ended.signal,
  });
  const child = spawn(process.execPath, [daemon], { stdio: "ignore" });
  await expect.poll(() => marked(mark).length, { timeout: 20_000 }).toBeGreaterThan(2);
  await expect.poll(() => marked(other).length, { timeout: 20_000 }).toBeGreaterThan(2);
  // A command whose daemon dies before it has begun ends with it.
  await expect.poll(() => existsSync(join(home, "begun")), { timeout: 20_000 }).toBe(true);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("close", resolve));
  expect(marked(mark).length).toBeGreaterThan(0);

  await tools.endLeftovers(mark);

  expect(marked(mark)).toEqual([]);
  expect(marked(other).length).toBeGreaterThan(0);
});
