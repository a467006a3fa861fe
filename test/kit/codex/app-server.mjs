// An app server as Codex has one, on stdin and stdout; the first argument says how it behaves.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [behaviour, file = ""] = process.argv.slice(2);
const THREAD = "thread-1";
const TURN = "turn-1";
const seen = [];

const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const notify = (method, params) => print({ method, params: { threadId: THREAD, ...params } });
const complete = (status, rest = {}) =>
  notify("turn/completed", { turn: { id: TURN, status, items: [], durationMs: 7, ...rest } });
const say = (text) => notify("item/completed", { item: { type: "agentMessage", id: "m", text } });
const delta = (text) => notify("item/agentMessage/delta", { delta: text });

/** What happens after the prompt. */
const TURNS = {
  // Repeats everything that it got, so that a test can check it.
  echoes() {
    say(JSON.stringify({ seen, argv: process.argv.slice(4) }));
    complete("completed");
  },
  races: () => complete("completed"),
  waits: () => delta("Working."),
  stubborn: () => delta("Working."),
  asks: () => print({ id: "r-1", method: "item/fileChange/requestApproval", params: {} }),
  asksUnknown: () => print({ id: "r-1", method: "item/new/thing", params: {} }),
  dies: () => process.exit(7),
  delegates() {
    notify("item/agentMessage/delta", { threadId: "thread-2", delta: "I am a sub-agent." });
    notify("turn/completed", { threadId: "thread-2", turn: { status: "failed" } });
    say("Done.");
    complete("completed");
  },
};

function answer({ id, method, params, result, error }) {
  seen.push({ method, params });
  switch (method) {
    case "initialize":
    case "account/login/start":
      return print({ id, result: {} });
    case "thread/resume":
    case "thread/start":
      if (params.threadId === "lost") {
        return print({
          id,
          error: { code: -32600, message: "no rollout found for thread id lost" },
        });
      }
      return print({ id, result: { thread: { id: THREAD }, model: "gpt-5.5" } });
    case "turn/start":
      print({ id, result: { turn: { id: TURN } } });
      return TURNS[behaviour]?.();
    case "turn/steer": {
      const [{ text }] = params.input;
      if (text === "too late") return print({ id, error: { code: -32600, message: "no turn" } });
      print({ id, result: { turnId: TURN } });
      const item = { type: "userMessage", id: "u", clientId: params.clientUserMessageId };
      notify("item/started", { item });
      say(text);
      return text === "finish" && complete("completed");
    }
    case "turn/interrupt":
      if (behaviour === "stubborn") return undefined;
      print({ id, result: {} });
      return complete("interrupted", { error: null });
    default:
      // The answer to a request of ours.
      if (id === "r-1") {
        say(JSON.stringify(result ?? error));
        complete("completed");
      }
      return undefined;
  }
}

/** Prints a recording: after each request the lines up to the next answer. */
function createReplay(recording) {
  const lines = readFileSync(recording, "utf8").trimEnd().split("\n");
  return ({ id }) => {
    if (id === undefined) return;
    do process.stdout.write(`${lines.shift()}\n`);
    while (lines.length > 0 && !(JSON.parse(lines[0]).id > id));
  };
}

if (behaviour === "races" && !existsSync(file)) {
  writeFileSync(file, "");
  process.exit(1);
}
const take = behaviour === "replays" ? createReplay(file) : answer;
createInterface({ input: process.stdin })
  .on("line", (line) => take(JSON.parse(line)))
  .on("close", () => process.exit(0));
