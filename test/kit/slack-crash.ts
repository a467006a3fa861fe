import { openStore } from "../../src/adapters/store/open-store.ts";
import { systemClock, systemTokens } from "../../src/adapters/world.ts";
import { createSlackApi } from "../../src/doors/slack/api/create-slack-api.ts";
import { putDesired } from "../../src/doors/slack/outgoing/put-desired.ts";
import { createSender } from "../../src/doors/slack/outgoing/sender.ts";

/**
 * A process that sends one message and is killed right after Slack has taken it: what the daemon
 * would store next is never stored. Arguments: data directory, API URL, token, team, channel.
 */
const [, , dataDir = "", apiUrl = "", token = "", team = "", channel = ""] = process.argv;
const store = await openStore({ dataDir });
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const core = { store, clock: systemClock, tokens: systemTokens, log };
const api = createSlackApi({
  accessOf: async () => ({ token, botUser: "" }),
  apiUrl,
  clock: systemClock,
  log,
});
const sender = createSender({
  core,
  api: {
    ...api,
    async send(call) {
      await api.send(call);
      process.kill(process.pid, "SIGKILL");
      return new Promise(() => {});
    },
  },
  onDead() {},
});
const place = { team, channel, threadTs: null, taskId: null, groupId: null };
const message = {
  key: "text:crash",
  urgency: "person",
  content: { text: "承認してください" },
} as const;
await store.transaction((unit) => putDesired(core, unit, { place, message }));
sender.wake();
await new Promise((done) => setTimeout(done, 60_000));
