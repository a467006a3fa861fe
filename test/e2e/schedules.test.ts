import { randomInt } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import * as contract from "../../src/contract/routes/schedules.ts";
import { listTasks } from "../../src/contract/routes/tasks.ts";
import { aDaemon, aPlace, command, type Daemon, type Place, until } from "../kit/daemon.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";

async function schedulesOf({ url }: Daemon) {
  const response = await fetch(`${url}/api/schedules`);
  return contract.listSchedules.answer.parse(await response.json()).schedules;
}

async function runsOf({ url }: Daemon, id: string) {
  const response = await fetch(`${url}/api/schedules/${id}/runs`);
  return contract.listScheduleRuns.answer.parse(await response.json()).runs;
}

async function tasksOf({ url }: Daemon) {
  const response = await fetch(`${url}/api/tasks`);
  return listTasks.answer.parse(await response.json()).tasks;
}

async function addYearly(
  place: Place,
  more: readonly string[] = [],
  what: readonly string[] = ["ノートを整理して"],
): Promise<string> {
  const args = ["schedule", "add", ...what, "--cron", "0 0 1 1 *", "--json", ...more];
  const { stdout } = await command(place, args);
  return contract.createSchedule.answer.parse(JSON.parse(stdout)).scheduleId;
}

/** Tests cannot wait for the first of January: while no daemon runs, they move the planned time. */
function planAt({ dataDir }: Place, at: number): void {
  const database = new DatabaseSync(join(dataDir, "kuromajutsu.db"));
  database.prepare("update schedules set next_at = ?").run(at);
  database.close();
}

test("the terminal adds, lists, shows, pauses, resumes, runs and removes a schedule", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const say = async (...args: string[]) => (await command(place, ["schedule", ...args])).stdout;

  const added = await say("add", "週報を書いて", "--cron", "0 9 * * 1", "--tz", "Asia/Tokyo");
  expect(added).toMatch(
    /sch-\S+ {2}週報を書いて {2}毎週月曜日 9:00 {2}次回 .*\(月\) 9:00（Asia\/Tokyo）/,
  );
  const [schedule] = await schedulesOf(daemon);
  const id = schedule?.scheduleId ?? "";
  expect(await say("list")).toContain(id);
  expect(await say("pause", id)).toContain("一時停止中（local）");
  expect(await say("resume", id)).toContain("次回");
  expect(await say("run", id)).toMatch(/タスクを依頼しました: task-/);
  expect(await say("show", id)).toMatch(
    /次の予定\n(?: {2}.*\(月\) 9:00\n){5}\n履歴\n.* 開始 \(手動\) task-/,
  );
  const [task] = await tasksOf(daemon);
  expect(task).toMatchObject({ scheduleId: id, requester: "local", door: "terminal" });
  expect(await say("remove", id)).toContain(id);
  expect(await say("list", "--json")).toBe("[]\n");

  const wrong = await command(place, ["schedule", "add", "x", "--cron", "0 25 * * *"]);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('2 番目の項目（時）が "25"'),
  });
  const zone = await command(place, [
    "schedule",
    "add",
    "x",
    "--cron",
    "0 9 * * *",
    "--tz",
    "Tokio",
  ]);
  expect(zone).toMatchObject({ code: 1, stderr: expect.stringContaining("Asia/Tokyo") });
});

/** Around a planned time: before it, while its task is stored, and after it. */
const BEFORE_MS = 150;
const AFTER_MS = 250;

test.runIf(HAS_ALL_ROUNDS)(
  "a daemon that is killed at random around planned times handles each of them exactly once",
  async () => {
    const place = aPlace();
    const first = await aDaemon(place);
    const each = await addYearly(place, ["--overlap", "allow"]);
    const alone = await addYearly(place, ["--overlap", "skip"]);
    const template = await addYearly(
      place,
      ["--overlap", "allow"],
      ["--template", "weekly-report"],
    );
    await first.kill("SIGKILL");

    const planned: number[] = [];
    const count = 20;
    for (let round = 1; round <= count; round++) {
      const at = Date.now() + 2_500;
      planned.push(at);
      planAt(place, at);
      const killedAt = at + randomInt(-BEFORE_MS, AFTER_MS);
      const killed = await aDaemon(place);
      await until(() => Date.now() >= killedAt);
      await killed.kill("SIGKILL");
      const restarted = await aDaemon(place);
      for (const id of [each, alone, template]) {
        await until(async () => (await runsOf(restarted, id)).length >= round);
      }
      await restarted.kill("SIGKILL");
    }

    const last = await aDaemon(place);
    const tasks = await tasksOf(last);
    for (const id of [each, alone, template]) {
      const runs = (await runsOf(last, id)).toReversed();
      expect(runs.map(({ plannedAt }) => Date.parse(plannedAt))).toEqual(planned);
      // The first task of `alone` waits for an approval, so its later times are skipped by its policy.
      const later = id === alone ? "skipped_overlap" : "started";
      const expected = planned.map((_, index) => (index === 0 ? "started" : later));
      expect(runs.map(({ status }) => status)).toEqual(expected);
      const started = runs.flatMap(({ taskId }) => (taskId === null ? [] : [taskId]));
      const own = tasks.filter(({ scheduleId }) => scheduleId === id).map(({ taskId }) => taskId);
      expect(own.toSorted()).toEqual(started.toSorted());
      expect(new Set(started).size).toBe(id === alone ? 1 : count);
    }
    // Each goes on like any other task.
    await until(async () =>
      (await tasksOf(last)).every(({ status }) => status === "awaiting_prompt_approval"),
    );
  },
);

test("the terminal adds a schedule of a template and says what is wrong with its values", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const cron = ["--cron", "0 9 * * 1"];
  const add = (...args: string[]) => command(place, ["schedule", "add", ...args, ...cron]);

  const added = await add("--template", "weekly-report", "--set", "period=先週");
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("週報") });
  const [schedule] = await schedulesOf(daemon);
  expect(schedule).toMatchObject({
    template: { id: "weekly-report", values: { period: "先週" }, locale: "ja" },
    request: expect.stringContaining("先週"),
  });
  const shown = await command(place, ["schedule", "show", schedule?.scheduleId ?? ""]);
  expect(shown.stdout).toContain("テンプレート weekly-report（period=先週）");

  const wrong: [string[], string][] = [
    [["--template", "weeklyreport"], "もしかして: 「weekly-report」"],
    [["--template", "hr-overtime"], 'MCP サーバー "hr" が必要'],
    [["--template", "three-reviews"], "タスクのテンプレートを選んでください"],
    [["--template", "weekly-report", "--set", "priod=x"], "もしかして「period」ですか"],
    [["週報を書いて", "--template", "weekly-report"], "どちらか一方"],
    [["週報を書いて", "--set", "period=x"], "--template と一緒に"],
    [[], "どちらか一方"],
  ];
  for (const [args, expected] of wrong) {
    const { code, stdout, stderr } = await add(...args);
    expect({ args, code, text: stdout + stderr }).toMatchObject({
      code: 1,
      text: expect.stringContaining(expected),
    });
  }
  expect(await schedulesOf(daemon)).toHaveLength(1);
});

test("a time that was missed without a daemon is caught up once, or skipped and recorded", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const once = await addYearly(place);
  const skipped = await addYearly(place, ["--missed", "skip"]);
  await first.kill("SIGTERM");
  planAt(place, Date.now() - 3_600_000);

  const second = await aDaemon(place);
  await until(async () => (await runsOf(second, once)).length === 1);
  await until(async () => (await runsOf(second, skipped)).length === 1);

  expect((await runsOf(second, once))[0]?.status).toBe("started");
  expect((await runsOf(second, skipped))[0]?.status).toBe("skipped_missed");
  expect(await tasksOf(second)).toHaveLength(1);
});
