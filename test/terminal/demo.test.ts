import { expect, test } from "vitest";
import { aDemoPlace, demosIn, processesOf } from "../kit/demo.ts";
import { aPty, KEYS } from "../kit/pty.ts";
import { LONG_MS } from "../kit/story.ts";

const ASKED = "[y = 承認 / n = 却下";

test(
  "`demo --terminal` plays the HR story with explanations, a block and an unblock, and cleans up",
  { timeout: LONG_MS },
  async () => {
    const place = aDemoPlace();
    const pty = aPty(place, ["demo", "--terminal"], { columns: 120, rows: 60 });

    await pty.waitForLine("どの話を試しますか?");
    await pty.waitFor("1 か 2");
    pty.type(`1${KEYS.enter}`);
    await pty.waitForLine("承認するまで、何も実行しません");
    await pty.waitFor(ASKED);
    pty.type(`y${KEYS.enter}`);
    await pty.waitForLine("承認したステップのツールだけを使えます");
    await pty.waitFor(new RegExp("だけを使えます[^]*y = 承認"));
    pty.type(`y${KEYS.enter}`);
    await pty.waitForLine("実際に送る引数");
    await pty.waitFor(/y = 承認 \/ n = 却下[^\n]*$/m);
    pty.type(`y${KEYS.enter}`);
    await pty.waitFor("ブロックする理由");
    pty.type(`数字を確かめたい${KEYS.enter}`);
    await pty.waitFor("Enter でブロックを解除します");
    pty.type(KEYS.enter);

    expect(await pty.exited()).toBe(0);
    expect(pty.history()).toContain("これで一通りです");
    expect(pty.history()).toContain("何も残していません");
    expect(demosIn(place.tmp)).toEqual([]);
    expect(processesOf(place.tmp)).toEqual([]);
  },
);

test.each([
  ["q", "q"],
  ["Ctrl-C", KEYS.ctrlC],
])("%s ends a demo in a terminal and leaves nothing", async (_name, key) => {
  const place = aDemoPlace();
  const pty = aPty(place, ["demo", "--no-open"]);
  await pty.waitForLine(/http:\/\/127\.0\.0\.1:\d+/);

  pty.type(key);

  expect(await pty.exited()).toBe(0);
  expect(pty.history()).toContain("何も残していません");
  expect(demosIn(place.tmp)).toEqual([]);
});
