import { expect, test } from "vitest";
import { aDaemon, aPlace } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";

test("`run` in a terminal asks for the prompt and the steps and ends with the result", async () => {
  const place = aPlace();
  await aDaemon(place);
  const pty = aPty(place, ["run", "ノートを整理して"]);

  await pty.waitFor("実行方針 v1");
  await pty.waitFor("[y = 承認 / n = 却下");
  pty.type(`y${KEYS.enter}`);
  await pty.waitFor("実行ステップ v1");
  await pty.waitFor(/v1[\s\S]*y = 承認/);
  pty.type(`y${KEYS.enter}`);

  expect(await pty.exited()).toBe(0);
  expect(pty.history()).toContain("完了");
});
