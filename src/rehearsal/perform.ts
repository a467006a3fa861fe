import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isRecord, parseJson } from "../base/narrow.ts";
import { writeAll } from "../base/write-all.ts";
import { callUntilDecided, codeOf, reasonOf } from "./call-until-decided.ts";
import type { Directive } from "./directives.ts";
import { changeFile } from "./files.ts";
import { handleNotifications } from "./notifications.ts";
import { shorten } from "./read-prompt.ts";
import { report } from "./report.ts";
import type { Run } from "./run.ts";
import type { CursorStream } from "./stream.ts";

type ToolDirective = Extract<Directive, { readonly verb: "tool" }>;

const ANSWER_CHARS = 300;
const LISTEN_EVERY_MS = 200;
const FILE_EVERY_MS = 25;
/** The process can handle a signal between two batches. */
const DELTAS_AT_ONCE = 500;
const FLOOD_BYTES = 64 * 1024;
const GARBAGE = [
  '{"type":"assistant","message":{"role":"assi',
  "[warn] not an event",
  '"just a string"',
];

/**
 * Thrown by the directive `fail` inside a role's own work: an end with an error and without a
 * report.
 */
export class AskedToFail extends Error {}

/** Returns what went wrong. */
export async function perform(run: Run, directive: Directive): Promise<string | undefined> {
  const { stream } = run;
  switch (directive.verb) {
    case "say":
      stream.say(directive.text);
      return undefined;
    case "sleep":
      await sleep(directive.ms);
      return undefined;
    case "wait-for":
      while (!existsSync(directive.path)) await sleep(FILE_EVERY_MS);
      return undefined;
    case "listen":
      await listen(run, directive.ms);
      return undefined;
    case "hang":
      for (;;) await sleep(1 << 30);
    case "fail":
      return directive.text;
    case "exit":
      return process.exit(directive.code);
    case "crash":
      process.kill(process.pid, "SIGKILL");
      // The signal is on its way; nothing more may be written.
      return perform(run, { verb: "hang" });
    case "deltas":
      for (let first = 1; first <= directive.count; first += DELTAS_AT_ONCE) {
        stream.deltas(first, Math.min(directive.count, first + DELTAS_AT_ONCE - 1));
        await nextTurn();
      }
      return undefined;
    case "long-line":
      stream.longLine(directive.bytes);
      return undefined;
    case "garbage":
      garble(run, directive.count);
      return undefined;
    case "stderr":
      writeAll(2, `${directive.text}\n`);
      return undefined;
    case "stderr-flood":
      await flood(directive.bytes);
      return undefined;
    case "write":
    case "edit":
      await changeFile(run, directive);
      return undefined;
    case "echo-prompt":
      await writeFile(directive.path, run.prompt);
      return undefined;
    case "grandchild":
      await startGrandchild(stream, directive.ms);
      return undefined;
    case "tool":
      return callWithJson(run, directive);
    case "report":
      return report(run, directive);
    // These apply to the whole run, wherever they are written.
    case "in":
    case "before":
    case "after":
    case "first":
    case "check":
    case "uncheck":
    case "steps":
    case "arg":
    case "answer":
    case "child":
    case "iterations":
    case "same":
    case "no-ledger":
    case "usage":
    case "linger":
    case "retry-for":
    case "ignore-term":
    case "no-report":
    case "unknown":
      return undefined;
  }
}

/** Without a daemon no notification can arrive, so this just waits. */
async function listen(run: Run, ms: number): Promise<void> {
  const until = Date.now() + ms;
  let hasComplained = false;
  while (run.tools.isKnown && Date.now() < until) {
    if (!(await handleNotifications(run)) && !hasComplained) {
      hasComplained = true;
      run.stream.say(run.texts.simulated(run.texts.notificationsUnread));
    }
    await sleep(Math.min(LISTEN_EVERY_MS, Math.max(0, until - Date.now())));
  }
  await sleep(Math.max(0, until - Date.now()));
}

function garble({ stream, texts }: Run, count: number): void {
  const lines = [texts.simulated(texts.garbage), ...GARBAGE];
  for (let i = 0; i < count; i++) stream.raw(lines[i % lines.length] ?? "");
}

async function flood(bytes: number): Promise<void> {
  const line = Buffer.alloc(FLOOD_BYTES, `${"e".repeat(127)}\n`);
  for (let left = bytes; left > 0; left -= line.length) {
    writeAll(2, line.subarray(0, Math.min(left, line.length)));
    await nextTurn();
  }
}

/**
 * In a session of its own, so that a signal to our process group misses it, and with our stdout
 * open.
 */
async function startGrandchild(stream: CursorStream, ms: number): Promise<void> {
  const { spawn } = await import("node:child_process");
  const seconds = String(ms / 1000);
  await stream.tool("shellToolCall", { command: `sleep ${seconds}` }, async () => {
    const child = spawn("sleep", [seconds], {
      detached: true,
      stdio: ["ignore", "inherit", "ignore"],
    });
    child.unref();
    await new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    return { success: { pid: child.pid } };
  });
}

async function callWithJson(run: Run, directive: ToolDirective): Promise<string | undefined> {
  const { name, json } = directive;
  // The author of a prompt cannot know the ids that are generated at the launch.
  const args = parseJson(
    json
      .replaceAll("{{agentId}}", run.agentId ?? run.read.agentId ?? "")
      .replaceAll("{{groupId}}", run.read.groupId ?? ""),
  );
  const { texts } = run;
  if (!isRecord(args)) return texts.badArguments(name, json);
  const answer = await callUntilDecided(run, name, args);
  if (answer.isError) {
    const code = codeOf(answer);
    const reason = reasonOf(answer, texts);
    const failure = texts.toolFailed(name, code === undefined ? reason : `${code} ${reason}`);
    run.diary.failures.set(directive, failure);
    run.stream.say(texts.simulated(failure));
    return undefined;
  }
  run.diary.answers.push(answer.fields);
  run.stream.say(texts.simulated(texts.toolAnswered(name, shorten(answer.text, ANSWER_CHARS))));
  return undefined;
}
