import { onTestFinished } from "vitest";
import type { SlackMessage, SlackThread } from "../../src/app/ports/slack-store.ts";
import type { Config } from "../../src/contract/config/schema.ts";
import type { TaskId } from "../../src/domain/ids.ts";
import { createSlackApi } from "../../src/doors/slack/api/create-slack-api.ts";
import {
  startSlackOutgoing,
  type SlackOutgoing,
} from "../../src/doors/slack/outgoing/start-slack-outgoing.ts";
import { NOON } from "./builders.ts";
import type { TestCore } from "./core.ts";
import type { FakeSlack } from "./slack/fake-slack.ts";
import type { Workspace } from "./slack/workspace.ts";

export const THREAD_TS = "1794733000.000100";

export type OutgoingOver = {
  readonly boards?: Config["slack"]["boards"];
  readonly people?: Config["slack"]["people"];
  readonly dashboardUrl?: string;
  /** Sends by itself; the clock of the core still stands. */
  readonly hasTimers?: boolean;
};

/** The outgoing half of the Slack door, with the clock of the core and a Slack on loopback. */
export type TestOutgoing = SlackOutgoing & {
  /** Lets time pass until there is nothing left to send, or nothing can be sent. */
  settle(rounds?: number): Promise<void>;
};

export async function anOutgoing(
  core: TestCore,
  slack: FakeSlack,
  workspaces: readonly Workspace[],
  over: OutgoingOver = {},
): Promise<TestOutgoing> {
  let timer: { readonly act: () => void; readonly ms: number } | undefined;
  const api = createSlackApi({
    accessOf: async (team) => {
      const found = workspaces.find(({ id }) => id === team);
      return found && { token: found.botToken.value, botUser: found.team.botUserId };
    },
    apiUrl: slack.apiUrl,
    clock: core.clock,
    log: core.log,
  });
  const outgoing = await startSlackOutgoing({
    core,
    api,
    people: () => over.people ?? [],
    boards: () => over.boards ?? [],
    homeTeam: async () => workspaces[0]?.id,
    dashboardUrl: () => over.dashboardUrl,
    ...(!over.hasTimers && {
      pauseMs: 0,
      later(act, ms) {
        timer = { act, ms };
        return () => (timer = undefined);
      },
    }),
  });
  onTestFinished(() => outgoing.close());
  return {
    ...outgoing,
    async settle(rounds = 60) {
      for (let round = 0; round < rounds; round++) {
        await core.quiet();
        await outgoing.idle();
        const unsent = await core.store.listUnsentSlackMessages(1);
        if (unsent.length === 0 || !timer) return;
        core.advance(timer.ms);
        timer.act();
      }
    },
  };
}

/** The task was requested in Slack. */
export async function aThreadOf(
  core: TestCore,
  taskId: TaskId,
  { team, channel }: Pick<SlackThread, "team" | "channel">,
  over: Partial<SlackThread> = {},
): Promise<SlackThread> {
  const thread: SlackThread = {
    team,
    channel,
    threadTs: THREAD_TS,
    taskId,
    user: "U1",
    locale: "ja",
    at: NOON,
    ...over,
  };
  await core.store.transaction((unit) => unit.insertSlackThread(thread));
  return thread;
}

export async function messageOf(core: TestCore, key: string): Promise<SlackMessage> {
  const message = await core.store.getSlackMessage(key);
  if (!message) throw new Error(`There is no message ${key}.`);
  return message;
}

/** The first line of a card, its header or its text. */
export function headOf(message: { readonly attachments?: unknown }): string {
  const text = JSON.stringify(message.attachments ?? []);
  const [, head] = /"text":\{[^{}]*"text":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  const [, first] = /"text":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return head ?? first ?? "";
}
