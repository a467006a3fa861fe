import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { createApi } from "../../src/doors/cli/terminal/api.ts";
import { createConsole } from "../../src/doors/cli/terminal/console.ts";
import type { Session } from "../../src/doors/cli/terminal/session.ts";
import { runTask } from "../../src/doors/cli/terminal/task-commands.ts";
import { TERMINAL_TEXTS } from "../../src/doors/cli/terminal/terminal-texts.ts";
import { aDaemon, aPlace, command, until } from "../kit/daemon.ts";

/** A person at a terminal: reads the output, types lines, presses Ctrl-C. */
function aPerson(url: string, dir: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let seen = "";
  output.on("data", (chunk) => (seen += String(chunk)));
  const session: Session = {
    api: createApi(url, { locale: "ja" }),
    console: createConsole({ input, output }, () => session.onInterrupt()),
    texts: TERMINAL_TEXTS.ja,
    program: "kuromajutsu",
    approvesAll: false,
    onInterrupt: () => {},
    onRevived: () => {},
  };
  onTestFinished(() => session.console.close());
  let from = 0;
  return {
    seen: () => seen,
    run: (text: string) => runTask(session, { text, workingDirectory: dir, detach: false }),
    /** Waits until this text appears after the last answer, then types. */
    async answer(words: string, line: string) {
      await until(() => seen.includes(words, from));
      from = seen.length;
      input.write(`${line}\n`);
    },
    sees: (words: string) => until(() => seen.includes(words)),
    pressCtrlC: () => session.onInterrupt(),
  };
}

test("`run` shows prompt and steps, asks for y or n with a reason, and follows the steps to the end", async () => {
  const place = aPlace();
  const { url } = await aDaemon(place);
  const person = aPerson(url, place.dir);
  const ended = person.run("ノートを整理して");

  await person.answer(TERMINAL_TEXTS.ja.decide, "n");
  await person.answer(TERMINAL_TEXTS.ja.reason, "もっと短く");
  await person.sees("実行方針 v2");
  await person.answer(TERMINAL_TEXTS.ja.decide, "y");
  await person.sees("実行ステップ v1");
  await person.answer(TERMINAL_TEXTS.ja.decide, "y");

  expect(await ended).toBe(0);
  expect(person.seen()).toContain("🎭 リハーサルのみ: エージェントの CLI が見つからないため");
  // The reason reached the next draft, and the result says that no model was asked.
  expect(person.seen()).toContain("もっと短く");
  expect(person.seen()).toMatch(/✅ 完了\nサマリー: .*リハーサル[\s\S]*所要時間: [\d.]+ 秒/);
});

test("Ctrl-C in `run` asks; `c` cancels the task and prints the number of stopped agents", async () => {
  const place = aPlace();
  const { url } = await aDaemon(place);
  const person = aPerson(url, place.dir);
  const ended = person.run("ゆっくりやって\n#rehearsal in executor listen 60000");
  await person.answer(TERMINAL_TEXTS.ja.decide, "y");
  await person.answer(TERMINAL_TEXTS.ja.decide, "y");
  // While the executor is queued there is no agent to stop.
  await person.sees(`🚀 ${TERMINAL_TEXTS.ja.execution.running}`);

  person.pressCtrlC();
  await person.answer("c = タスクを中止", "c");

  expect(await ended).toBe(2);
  expect(person.seen()).toContain(TERMINAL_TEXTS.ja.cancelled(1));
});

test("Ctrl-C and `d` in `run` leave the task running; `tasks` shows it", async () => {
  const place = aPlace();
  const { url } = await aDaemon(place);
  const person = aPerson(url, place.dir);
  const ended = person.run("あとで見る");
  await person.sees(TERMINAL_TEXTS.ja.decide);

  person.pressCtrlC();
  await person.answer("d = 切り離す", "d");

  expect(await ended).toBe(3);
  const { stdout } = await command(place, ["tasks"]);
  expect(stdout).toMatch(/^task-\S+ {2}実行方針の承認待ち {2}/m);
});

test("`run --yes` without a terminal approves everything, and its exit code is the status of the task", async () => {
  const place = aPlace();
  await aDaemon(place);

  const done = await command(place, ["run", "ノートを整理して", "--yes"]);

  expect(done.stderr).toBe("");
  expect(done.stdout).toContain("✅ 完了");
  expect(done.code).toBe(0);
});

test("`approvals` lists pending approvals and decides them from another terminal", async () => {
  const place = aPlace();
  await aDaemon(place);
  await command(place, ["run", "ノートを整理して", "--detach"]);
  let id: string | undefined;
  await until(async () => {
    id = /apr-\S+/.exec((await command(place, ["approvals"])).stdout)?.[0];
    return id !== undefined;
  });

  const decided = await command(place, ["approvals", id ?? "", "approve"]);
  const late = await command(place, ["approvals", id ?? "", "reject", "--reason", "いいえ"]);

  expect(decided.stdout).toMatch(/^承認しました: 実行方針 v1/);
  expect(late.code).toBe(1);
  expect(late.stderr).toContain("local");
});

test("invalid command lines are refused before a daemon is started", async () => {
  const place = aPlace();

  expect((await command(place, ["run"])).stderr).toContain("kuromajutsu run <text>");
  expect((await command(place, ["tasks", "task-1", "explode"])).stderr).toContain(
    "block, unblock, cancel, retry, follow",
  );
});
