import { expect, test } from "vitest";
import { aDaemon, aPlace, command, until, withFakeCursor } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";
import { LONG_MS } from "../kit/story.ts";
import { sharedByTests } from "../kit/when-done.ts";

/** For tests that look only at their own task. */
const thePlace = sharedByTests(async () => {
  const place = aPlace();
  await aDaemon(place);
  return place;
});

test(
  "`run --sample` leaves time to approve, block and unblock its task from another terminal",
  { timeout: LONG_MS },
  async () => {
    const place = await thePlace();
    const pty = aPty(place, ["run", "--sample"], { columns: 120, rows: 50 });
    const approve = async () => {
      let id: string | undefined;
      await until(async () => (id = await pending()) !== undefined);
      expect((await command(place, ["approvals", id ?? "", "approve"])).code).toBe(0);
    };
    const pending = async () => {
      const { stdout } = await command(place, ["approvals", "--json"]);
      const { approvals }: { approvals: { approvalId: string; taskId: string }[] } =
        JSON.parse(stdout);
      return approvals.find((each) => each.taskId === taskId)?.approvalId;
    };
    await pty.waitFor("y = 承認");
    const [taskId = ""] = /task-\w+/.exec(pty.history()) ?? [];
    expect(pty.history().replaceAll(/\s+/g, " ")).toContain(`tasks ${taskId} block --reason`);

    await approve();
    await pty.waitFor(/実行ステップ v1: [\s\S]*y = 承認/);
    await approve();
    await pty.waitFor(/進捗: 0\/3 完了/);
    await pty.waitFor(/実行中.* · \d/);
    const blocked = await command(place, ["tasks", taskId, "block", "--reason", "順番を変える"]);
    await pty.waitForLine("がブロックしました: 順番を変える");
    const unblocked = await command(place, ["tasks", taskId, "unblock"]);
    await pty.waitForLine("がブロックを解除しました");
    await pty.waitFor(/実行中.* · \d/);
    await command(place, ["tasks", taskId, "cancel", "--yes"]);

    expect(blocked.stdout).toMatch(/エージェント [1-9]\d* 体が停止します/);
    expect(unblocked.code).toBe(0);
    expect(await pty.exited()).toBe(2);
  },
);

test(
  "Ctrl-C in `run` blocks the task with a reason, and Ctrl-C again unblocks it",
  { timeout: LONG_MS },
  async () => {
    const place = await thePlace();
    const pty = aPty(place, ["run", "--sample"], { columns: 80, rows: 50 });
    await pty.waitFor("y = 承認");
    pty.type(KEYS.ctrlC);
    await pty.waitFor(/どうしますか\?\n {2}c = タスクを中止[\s\S]*> /);
    pty.type(KEYS.enter);
    await pty.waitFor(/表示を続ける[\s\S]*y = 承認/);
    pty.type(`y${KEYS.enter}`);
    await pty.waitFor(/実行ステップ v1: [\s\S]*y = 承認/);
    pty.type(`y${KEYS.enter}`);
    await pty.waitFor(/実行中.* · \d/);

    pty.type(KEYS.ctrlC);
    await pty.waitFor("b = ブロックする");
    pty.type(`b${KEYS.enter}`);
    await pty.waitFor("理由: ");
    pty.type(KEYS.enter);
    await pty.waitFor("理由を入力してください。エージェントと");
    pty.type(`順番を変える${KEYS.enter}`);
    await pty.waitForLine("がブロックしました: 順番を変える");
    expect(pty.history()).toMatch(/ブロックしました。エージェント [1-9]\d* 体が停止します/);
    pty.type(KEYS.ctrlC);
    await pty.waitFor("u = ブロックを解除");
    pty.type(`b${KEYS.enter}`);
    await pty.waitFor("u か c か d か Enter を入力して");
    pty.type(`u${KEYS.enter}`);
    await pty.waitForLine("がブロックを解除しました");
    await pty.waitFor(/実行中.* · \d/);
    pty.type(KEYS.ctrlC);
    await pty.waitFor(/u = ブロックを解除[\s\S]*b = ブロックする[\s\S]*>/);
    pty.type(`c${KEYS.enter}`);

    expect(await pty.exited()).toBe(2);
    // The command can be copied from a terminal of 80 columns, where it is longer than a line.
    expect(pty.raw()).toMatch(/tasks task-\w+ block --reason "順番を変えたい"/);
  },
);

test("`run --sample` with a CLI that may cost money needs --yes where nobody can be asked", async () => {
  const place = withFakeCursor(aPlace());
  await aDaemon(place);

  const refused = await command(place, ["run", "--sample"]);

  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("--yes を付けてください");
  expect((await command(place, ["tasks"])).stdout).toContain("タスクはありません");
});

test.each([
  [["run"], "引数 <text> がありません"],
  [["run", "ノートを整理して", "--sample"], "余分な引数があります: ノートを整理して"],
])("%j is refused with both ways to use it", async (args, problem) => {
  const { code, stderr } = await command(aPlace(), args);

  expect(code).toBe(2);
  expect(stderr).toContain(problem);
  expect(stderr).toContain("run --sample");
});
