import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { aCore, dyingAtCommit } from "../../../../test/kit/core.ts";
import {
  anOutgoing,
  aThreadOf,
  headOf,
  messageOf,
  THREAD_TS,
} from "../../../../test/kit/slack-outgoing.ts";
import { aFakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import { ANALYSIS, answer, askFor, HR, upstreamWith } from "../../../../test/kit/task-flow.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { openStore } from "../../../adapters/store/open-store.ts";
import { LOCAL_USER } from "../../../app/core.ts";
import { changeTaskStatus } from "../../../app/tasks/change-task-status.ts";

const CRASH = fileURLToPath(new URL("../../../../test/kit/slack-crash.ts", import.meta.url));

test("a daemon that is killed between a post and its stored answer posts nothing twice", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  const dataDir = aTempDir();
  const args = [CRASH, dataDir, slack.apiUrl, acme.botToken.value, acme.id, channel];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
  expect(acme.history(channel)).toHaveLength(1);
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  const core = await aCore({ store, now: Date.now() });
  expect(await messageOf(core, "text:crash")).toMatchObject({ status: "posting", ts: null });

  const outgoing = await anOutgoing(core, slack, [acme]);
  await outgoing.settle();

  const [posted, ...others] = acme.history(channel);
  expect(others).toEqual([]);
  expect(await messageOf(core, "text:crash")).toMatchObject({ status: "posted", ts: posted?.ts });
  expect(slack.callsOf("chat.postMessage")).toHaveLength(1);
});

test("changes that a daemon could not show any more are shown by the next one", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const { id } = await askFor(core, { door: "slack" });
  await aThreadOf(core, id, { team: acme.id, channel });
  const first = await anOutgoing(core, slack, [acme]);
  await first.settle();
  await answer(core, id, ANALYSIS);
  await first.settle();
  const heads = async () => (await acme.thread(channel, THREAD_TS)).map(headOf);
  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);

  const dying = dyingAtCommit(core);
  await changeTaskStatus(dying, LOCAL_USER, { taskId: id, status: "cancelled" });
  await first.settle();
  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
  await first.close();
  const next = await anOutgoing(core, slack, [acme]);
  await next.settle();

  expect(await heads()).toEqual([
    expect.stringContaining("タスク"),
    expect.stringContaining("キャンセル"),
  ]);
  expect(await core.store.listOpenSlackThreads()).toEqual([]);
});
