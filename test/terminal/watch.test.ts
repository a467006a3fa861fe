import { expect, test } from "vitest";
import { aDaemon, aPlace, command } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";
import { sharedByTests } from "../kit/when-done.ts";

const thePlace = sharedByTests(async () => {
  const place = aPlace();
  await aDaemon(place);
  return place;
});

test("`watch` shows what waits, approves it, follows the task, and gives the screen back", async () => {
  const place = await thePlace();
  await command(place, ["run", "ノートを整理して", "--detach"]);
  const pty = aPty(place, ["watch"], { columns: 100, rows: 30 });

  await pty.waitFor(/実行方針 +実行方針 v1: ノートを整理して/);
  expect(pty.isAlternate()).toBe(true);
  expect(pty.isCursorHidden()).toBe(true);
  pty.type("a");
  await pty.waitFor("リハーサルの実行方針です");
  await pty.waitFor("y = 承認");
  pty.type("y");
  await pty.waitFor(/実行ステップ +実行ステップ v1: ノートを整理して/);

  pty.type("r");
  await pty.waitFor("却下の理由: ");
  pty.type(KEYS.enter);
  await pty.waitFor("理由を入力してください");
  pty.type("もっと短くx\u007F");
  await pty.waitFor("却下の理由: もっと短く▏");
  pty.type(KEYS.enter);
  await pty.waitFor(/実行ステップ v2: ノートを整理して/);
  pty.type("a");
  await pty.waitFor("y = 承認");
  await pty.waitFor("agent:");
  pty.type("y");
  await pty.waitFor(/完了 +ノートを整理して/);

  pty.type("q");
  expect(await pty.exited()).toBe(0);
  expect(pty.isAlternate()).toBe(false);
  expect(pty.isCursorHidden()).toBe(false);
});

test("`watch` shows a running agent with its transcript, blocks its task, and stops at Ctrl-C", async () => {
  const place = aPlace();
  await aDaemon(place);
  const slow = "ゆっくりやって\n#rehearsal in executor listen 60000";
  await command(place, ["run", slow, "--detach"]);
  const pty = aPty(place, ["watch"], { columns: 100, rows: 30 });
  for (const kind of ["実行方針 v1", "実行ステップ v1"]) {
    await pty.waitFor(`${kind}: `);
    pty.type("a");
    await pty.waitFor("y = 承認");
    await pty.waitFor("/approvals/apr-");
    pty.type("y");
  }
  await pty.waitFor(/executor +実行中/);
  pty.type("G");
  pty.type("k");
  pty.type("g");
  pty.type("b");
  await pty.waitFor("ブロックの理由");
  pty.type("順番を変える");
  await pty.waitFor("順番を変える▏");
  pty.type(KEYS.enter);
  await pty.waitFor(/ブロック +ゆっくりやって/);

  pty.resize(60, 16);
  await pty.waitFor(/ブロック +ゆっくりやって/);
  pty.type(KEYS.ctrlC);
  expect(await pty.exited()).toBe(0);
  expect(pty.isAlternate()).toBe(false);
});

test("`watch` in a pipe says what to use instead", async () => {
  const place = await thePlace();

  const { code, stderr, stdout } = await command(place, ["watch"]);

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("agents --json");
});
