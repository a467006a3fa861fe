import { expect, test } from "vitest";
import { aCore } from "../../../../test/kit/core.ts";
import { aLimiter } from "../../../../test/kit/slack/limits.ts";
import { textOf } from "../../../base/narrow.ts";
import type { PacedSlackApi } from "../api/create-slack-api.ts";
import { createPacer } from "../api/pacer.ts";
import { SlackCallFailed } from "../slack-api.ts";
import type { Urgency } from "./desired-message.ts";
import { putDesired } from "./put-desired.ts";
import { createSender } from "./sender.ts";

const STEP_MS = 500;

const keyOf = (card: number) => `text:${card}`;

/** A workspace that takes 50 updates a minute and 10 at once, with cards that change all the time. */
async function aBusyWorkspace(cards: number) {
  const core = await aCore();
  const pacer = createPacer(core.clock);
  const perMinute = { "chat.update": 50 };
  const limiter = aLimiter({ perMinute, burst: 10, speed: 1, now: () => core.clock.now() });
  const shown = new Map<string, string>();
  /** When the state that a card shows was replaced by a newer one. */
  const staleSince = new Map<string, number>();
  let limited = 0;
  let posts = 0;

  const api: PacedSlackApi = {
    takeTurn: ({ team, method, isUrgent = false, args }) =>
      pacer.take({ team, method, isUrgent, channel: textOf(args["channel"]) }),
    async send({ method, args, team }) {
      if (limiter.take(method, team) !== undefined) {
        limited++;
        throw new SlackCallFailed("limited", "ratelimited", 10_000);
      }
      const ts = textOf(args["ts"]) ?? `${++posts}`;
      shown.set(ts, String(args["text"]));
      return { ts };
    },
    call: (call) => api.send(call),
    botUserOf: async () => "UBOT",
  };
  const sender = createSender({ core, api, onDead: () => undefined, later: () => () => undefined });

  async function change(changed: readonly number[], text: string, urgency: Urgency): Promise<void> {
    const about = { team: "T1", threadTs: null, taskId: null, groupId: null };
    await core.store.transaction(async (unit) => {
      for (const card of changed) {
        const message = { key: keyOf(card), urgency, content: { text } };
        const place = { ...about, channel: `C${card}` };
        await putDesired(core, unit, { place, message });
      }
    });
    for (const key of changed.map(keyOf)) {
      if (!staleSince.has(key)) staleSince.set(key, core.clock.now());
    }
  }

  /** Sends what may be sent; returns how long the stalest card has been stale, in seconds. */
  async function step(): Promise<number> {
    core.advance(STEP_MS);
    await sender.idle();
    const unsent = await core.store.listUnsentSlackMessages(100);
    const waiting = new Set(unsent.map(({ key }) => key));
    for (const key of staleSince.keys()) if (!waiting.has(key)) staleSince.delete(key);
    const since = Math.min(core.clock.now(), ...staleSince.values());
    return (core.clock.now() - since) / 1_000;
  }

  const all = Array.from({ length: cards }, (_each, index) => index);
  return { core, change, step, all, shown, limited: () => limited };
}

test("20 running executions never meet the rate limit and are at most 30 s behind", async () => {
  const { change, step, all, shown, limited } = await aBusyWorkspace(20);
  await change(all, "start", "progress");
  await step();
  let stalest = 0;
  for (let ms = 0; ms < 300_000; ms += STEP_MS) {
    if (ms % 2_000 === 0) await change(all, `${ms}`, "progress");
    stalest = Math.max(stalest, await step());
  }
  expect(stalest).toBeLessThan(30);

  await change(all, "done", "final");
  let seconds = 0;
  for (; [...shown.values()].some((text) => text !== "done"); seconds += STEP_MS / 1_000)
    await step();

  expect(seconds).toBeLessThan(30);
  expect(limited()).toBe(0);
});

test("what needs a person overtakes the progress of 50 cards", async () => {
  const { change, step, all, shown, limited } = await aBusyWorkspace(50);
  await change(all, "start", "progress");
  await step();
  for (let round = 0; round < 20; round++) {
    await change(all, `${round}`, "progress");
    await step();
  }

  await change([7], "please decide", "person");
  await step();

  expect([...shown.values()]).toContain("please decide");
  expect(limited()).toBe(0);
});

test("only the newest state of a card is sent, and an equal one not at all", async () => {
  const { core, change, step, shown } = await aBusyWorkspace(1);
  await change([0], "a", "progress");
  await step();
  core.advance(10_000);
  for (const text of ["b", "c", "d"]) await change([0], text, "progress");
  await step();
  expect([...shown.values()]).toEqual(["d"]);

  shown.clear();
  core.advance(60_000);
  await change([0], "e", "progress");
  await change([0], "d", "progress");
  await step();

  expect(shown.size).toBe(0);
});
