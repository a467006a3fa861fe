import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aDaemon, aPlace, command, type Place, readDaemonFile, run, until } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { LONG_MS } from "../kit/story.ts";

const REVIVED = "デーモンが異常終了したため、新しく起動しました";
const STOPPED = "デーモンが停止されたため、ここで終わります";

/** The daemon that a command has started in the background. */
async function pidOfNext(place: Place, before: number): Promise<number> {
  await until(() => (readDaemonFile(place)?.pid ?? before) !== before);
  const { pid = 0 } = readDaemonFile(place) ?? {};
  return pid;
}

async function kill(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie still has an id; its parent is gone or does not wait.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function endWithTest(place: Place): void {
  onTestFinished(async () => void (await command(place, ["stop", "--stop-agents"])));
}

test(
  "`run` starts a new daemon after each kill -9, asks nothing twice, and follows its task to the end",
  { timeout: LONG_MS },
  async () => {
    const place = aPlace();
    endWithTest(place);
    const slow = "ノートを整理して\n#rehearsal in executor listen 6000";
    const pty = aPty(place, ["run", slow], { columns: 100, rows: 50 });
    await pty.waitFor("y = 承認");
    const first = await pidOfNext(place, 0);

    // While the question is open: it stays, and what is typed goes to the next daemon.
    pty.type("y");
    await kill(first);
    const second = await pidOfNext(place, first);
    await pty.waitFor(new RegExp(`${REVIVED}[^]*y = 承認[^\\n]*y$`, "m"));
    pty.type(KEYS.enter);
    await pty.waitFor(/実行ステップ v1: [\s\S]*y = 承認/);
    // Between the answer and the daemon: the answer is sent once, to the next daemon.
    await kill(second);
    pty.type(`y${KEYS.enter}`);
    const third = await pidOfNext(place, second);
    await pty.waitFor(/進捗: 0\/1 完了/);
    await pty.waitFor(/実行中/);
    // While the agent works: the next daemon goes on with the same agent.
    const [taskId = ""] = /task-\w+/.exec(pty.history()) ?? [];
    await kill(third);
    await pidOfNext(place, third);

    expect(await pty.exited()).toBe(0);
    const seen = pty.history();
    expect(seen.replaceAll("\n", "").split(REVIVED)).toHaveLength(4);
    expect(seen).toMatch(/✅ 完了\n/);
    const shown = await command(place, ["tasks", taskId, "--json"]);
    const task: { executions: unknown[]; approvals: { status: string }[] } = JSON.parse(
      shown.stdout,
    );
    expect(task.approvals.map(({ status }) => status)).toEqual(["approved", "approved"]);
    expect(task.executions).toHaveLength(1);
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "`tasks ID follow` in a pipe starts a new daemon after a kill -9 and says so on stderr",
  async () => {
    const place = aPlace();
    endWithTest(place);
    const slow = "ノートを整理して\n#rehearsal in executor listen 4000";
    const asked = await command(place, ["run", slow, "--detach"]);
    const [taskId = ""] = /task-\w+/.exec(asked.stdout) ?? [];
    const first = await pidOfNext(place, 0);
    const follow = run(place, ["tasks", taskId, "follow", "--yes"]);
    let [stdout, stderr] = ["", ""];
    follow.stdout?.on("data", (chunk) => (stdout += String(chunk)));
    follow.stderr?.on("data", (chunk) => (stderr += String(chunk)));
    const code = new Promise<number | null>((resolve) => follow.once("close", resolve));
    await until(() => stdout.includes("🔄 1."));

    await kill(first);

    expect(await code).toBe(0);
    expect(stderr.match(new RegExp(REVIVED, "g"))).toHaveLength(1);
    expect(stdout.match(/--yes の指定により承認しました/g)).toHaveLength(2);
    expect(stdout).not.toContain(REVIVED);
  },
);

test.each([
  ["kuromajutsu stop", async (place: Place) => void (await command(place, ["stop"]))],
  ["Ctrl-C in serve", (_: Place, pid: number) => void process.kill(pid, "SIGINT")],
])("after `%s`, `run` starts no daemon and ends with what to do", async (_name, end) => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const pty = aPty(place, ["run", "ノートを整理して"], { columns: 100, rows: 50 });
  await pty.waitFor("y = 承認");

  await end(place, daemon.pid);

  expect(await pty.exited()).toBe(3);
  const seen = pty.history().replaceAll("\n", "");
  expect(seen).toContain(STOPPED);
  expect(seen).toMatch(/続けるには:\s*\S.*tasks task-\w+ follow/);
  expect((await command(place, ["status"])).code).toBe(3);
});

test.runIf(HAS_ALL_ROUNDS)(
  "a daemon that is killed while it stops was stopped on purpose, so `run` starts none",
  async () => {
    const place = aPlace();
    const daemon = await aDaemon(place);
    const pty = aPty(place, ["run", "ノートを整理して"], { columns: 100, rows: 50 });
    await pty.waitFor("y = 承認");
    const mark = join(place.dataDir, "stopped");

    process.kill(daemon.pid, "SIGTERM");
    await until(() => exists(mark));
    daemon.process.kill("SIGKILL");

    expect(await pty.exited()).toBe(3);
    expect(pty.history()).toContain(STOPPED);
    expect((await command(place, ["status"])).code).toBe(3);
  },
);

function exists(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

test("`watch` goes on with the next daemon after a kill -9, and ends when a person stops that one", async () => {
  const place = aPlace();
  endWithTest(place);
  const pty = aPty(place, ["watch"], { columns: 120, rows: 20 });
  await pty.waitFor("● ライブ");
  const first = await pidOfNext(place, 0);

  await kill(first);
  await pty.waitFor(REVIVED);
  await pty.waitFor("● ライブ");
  await command(place, ["run", "ノートを整理して", "--detach"]);
  await pty.waitFor(/実行方針 +実行方針 v1: ノートを整理して/);
  await command(place, ["stop"]);

  expect(await pty.exited()).toBe(3);
  expect(pty.isAlternate()).toBe(false);
  expect(pty.history()).toContain(STOPPED);
  expect((await command(place, ["status"])).code).toBe(3);
});

test("`watch` takes the daemon that a service manager starts after a kill -9, instead of its own", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place, ["--port", "0"]);
  const pty = aPty(place, ["watch"], { columns: 100, rows: 20 });
  await pty.waitFor("● ライブ");

  await daemon.kill("SIGKILL");
  await pty.waitFor("接続が切れました");
  const next = await aDaemon(place, ["--port", "0"]);
  await pty.waitFor("● ライブ");

  expect(readDaemonFile(place)?.pid).toBe(next.pid);
  expect(pty.screen().join("\n")).toContain("デーモンに再接続しました");
  pty.kill("SIGTERM");
  await pty.exited();
  expect(pty.isCursorHidden()).toBe(false);
});
