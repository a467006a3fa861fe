import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { aDaemon, aPlace, command, type Place } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";
import { sharedByTests } from "../kit/when-done.ts";

const HR = fileURLToPath(new URL("../../examples/hr/server.js", import.meta.url));
// oxlint-disable-next-line no-control-regex -- escape sequences begin with it
const ESCAPES = /\u001B/;

function aPlaceWithHr(locale: "ja" | "en"): Place {
  const place = aPlace();
  const output = join(place.dir, "output");
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    `locale: ${locale}
agent: { runner: rehearsal }
mcpServers:
  hr:
    command: ${process.execPath}
    args: [${HR}]
    env: { HR_OUTPUT_DIR: ${output} }
    tools:
      list_employees: { readOnly: true }
      list_attendance: { readOnly: true }
      calculate_overtime: { readOnly: true }
`,
  );
  return place;
}

test("`run` asks for prompt and steps, shows the human check as a table, and ends with file and times", async () => {
  const place = aPlaceWithHr("ja");
  await aDaemon(place);
  const pty = aPty(place, ["run", "9月分の残業時間を集計して"], { columns: 100, rows: 40 });

  await pty.waitFor("実行方針 v1");
  await pty.waitFor("[y = 承認 / n = 却下");
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor(/実行ステップ v1: [\s\S]*y = 承認/);
  pty.type(`どう${KEYS.enter}`);
  await pty.waitFor("y か n を入力して Enter を押してください。");
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor(/このステップを実行しますか\? Sheet[\s\S]*y = 承認/);

  const screen = pty.screen().join("\n");
  expect(screen).toMatch(/E001 +佐藤 美咲 +人事部 +19 +712 +11\.87 +false/);
  expect(screen).toMatch(/E024 +橋本 勇気 +カスタマーサポート部/);
  expect(screen).not.toContain("{");
  pty.type(`y${KEYS.enter}`);

  expect(await pty.exited()).toBe(0);
  const seen = pty.history();
  expect(seen).toMatch(/✅ 完了\n/);
  expect(seen).toMatch(/ファイル:\n {2}\/.*\/output\/.*\.csv/);
  expect(seen).toMatch(/所要時間: [\d.]+ 秒/);
  expect(seen).toMatch(/結果の詳細: http:\/\/127\.0\.0\.1:\d+\/tasks\/task-/);
  // The live block is gone, and its steps are there once, as they ended.
  expect(seen.match(/hr\/list_employees/g)).toHaveLength(3);
  expect(seen).not.toContain("━");
});

test("on a narrow terminal the human check is cut, and `v` shows all of it in the pager", async () => {
  const place = aPlaceWithHr("en");
  await aDaemon(place);
  const pty = aPty(place, ["run", "Sum up the overtime of 2026-09"], {
    columns: 60,
    rows: 20,
    env: { PAGER: "cat" },
  });
  await pty.waitFor("y = approve");
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor(/Steps v1: [\s\S]*y = approve/);
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor(/v = view all/);
  expect(pty.history()).not.toContain("カスタマーサポート部");

  pty.type(`v${KEYS.enter}`);

  await pty.waitForLine("カスタマーサポート部");
  await pty.waitFor(/橋本 勇気[\s\S]*v = view all\] $/m);
  pty.type(`n${KEYS.enter}`);
  await pty.waitFor("Reason: ");
  pty.type(`wrong month${KEYS.enter}`);
  await pty.waitFor("f = fail the execution");
  pty.type(`f${KEYS.enter}`);
  expect(await pty.exited()).toBe(1);
});

/** With a daemon of the default configuration. Each test looks only at its own task. */
const aSharedPlace = sharedByTests(async () => {
  const place = aPlace();
  await aDaemon(place);
  return place;
});

test("the progress is redrawn in place, survives a resize, and Ctrl-C offers to detach", async () => {
  const place = await aSharedPlace();
  const slow = "ゆっくりやって\n#rehearsal in executor listen 60000";
  const pty = aPty(place, ["run", slow], { columns: 90, rows: 24 });
  await pty.waitFor("y = 承認");
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor(/実行ステップ v1: [\s\S]*y = 承認/);
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor(/進捗: 0\/1 完了/);
  await pty.waitFor(/実行中.* · [3-9] 秒/);

  expect(pty.screen().filter((line) => line.includes("進捗"))).toHaveLength(1);
  expect(pty.raw()).toMatch(ESCAPES);
  pty.resize(50, 20);
  await pty.waitFor(/実行中.* · [5-9] 秒/);
  expect(pty.screen().filter((line) => line.includes("進捗"))).toHaveLength(1);
  expect(pty.screen().filter((line) => line.includes("agent:"))).toHaveLength(3);

  pty.type(KEYS.ctrlC);
  await pty.waitFor("d = 切り離す");
  pty.type(`x${KEYS.enter}`);
  await pty.waitFor("b か c か d か Enter を入力して");
  pty.type(`d${KEYS.enter}`);

  expect(await pty.exited()).toBe(3);
  expect(pty.history().replaceAll("\n", "")).toMatch(/kuromajutsu.* tasks task-\w+ follow/);
});

test("a cancellation in another terminal withdraws the question with a sentence", async () => {
  const place = await aSharedPlace();
  const pty = aPty(place, ["run", "ノートを整理して"]);
  await pty.waitFor("y = 承認");
  const [taskId = ""] = /task-\w+/.exec(pty.history()) ?? [];

  const cancelled = await command(place, ["tasks", taskId, "cancel", "--reason", "あとで"]);

  expect(cancelled.stdout).toContain("中止しました。動いているエージェントはありませんでした。");
  expect(await pty.exited()).toBe(2);
  expect(pty.history().replaceAll("\n", "")).toContain(
    "タスクがブロックまたは中止されたため、この確認は不要になりました。",
  );
  expect(pty.history()).not.toContain("cancelled");
});

test("NO_COLOR leaves the redrawing and takes the colours", async () => {
  const place = await aSharedPlace();
  const pty = aPty(place, ["run", "ノートを整理して", "--yes"], { env: { NO_COLOR: "1" } });

  expect(await pty.exited()).toBe(0);
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with it
  expect(pty.raw()).not.toMatch(/\u001B\[3\dm/);
});

test("piped output has no escape codes and one line for each change of a step", async () => {
  const place = await aSharedPlace();

  const done = await command(place, ["run", "ノートを整理して", "--yes"]);

  expect(done.code).toBe(0);
  expect(done.stdout).not.toMatch(ESCAPES);
  expect(done.stdout.match(/✅ 1\. /g)).toHaveLength(1);
});

test("long prose is broken between words at the width of the terminal, and not in a pipe or in JSON", async () => {
  const place = await aSharedPlace();
  const pty = aPty(place, ["run", "ノートを整理して", "--yes"], { columns: 50 });
  expect(await pty.exited()).toBe(0);
  const [taskId = ""] = /task-\w+/.exec(pty.history()) ?? [];
  const json = aPty(place, ["tasks", taskId, "--json"], { columns: 50 });
  await json.exited();
  const piped = await command(place, ["tasks", taskId]);

  const note = "リハーサルのみ: エージェントの CLI が見つからないため、実際の作業は行いません。";
  const lines = pty.raw().split("\r\n");
  const first = lines.findIndex((line) => line.includes("🎭"));
  const wrapped = lines.slice(first, first + 4);
  expect(wrapped.join("").replaceAll(/\s+/g, "")).toContain(note.replaceAll(/\s+/g, ""));
  expect(wrapped.every((line) => line.length < 50)).toBe(true);
  expect(wrapped[1]).toMatch(/^ {3}\S/);
  expect(() => JSON.parse(json.raw())).not.toThrow();
  expect(piped.stdout).toMatch(/^ {2}.{40,}$/m);
});
