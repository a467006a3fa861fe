import { writeFile } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isFields, parseJson } from "../narrow.ts";
import type { Directive } from "./directives.ts";
import { changeFile, type FilesTouched } from "./files.ts";
import { shorten, type ReadPrompt } from "./read-prompt.ts";
import { createStream, type CursorStream } from "./stream.ts";
import { createDaemonTools, type DaemonTools } from "./tools.ts";
import { writeAll } from "./write-all.ts";

export type Rehearsal = {
  readonly prompt: string;
  readonly read: ReadPrompt;
  readonly model: string;
  readonly isReadOnly: boolean;
  readonly mcpUrl: string | undefined;
  readonly token: string | undefined;
  readonly agentId: string | undefined;
};

type Run = Rehearsal & {
  readonly stream: CursorStream;
  readonly tools: DaemonTools;
  readonly touched: FilesTouched;
};

type Report = Extract<Directive, { readonly verb: "report" }>;

const RETRY_FOR_MS = 60_000;
const ANSWER_CHARS = 300;
/** A signal is heard between two lots. */
const DELTAS_AT_ONCE = 500;
const FLOOD_BYTES = 64 * 1024;
const GARBAGE = [
  "リハーサル: これは JSON ではありません",
  '{"type":"assistant","message":{"role":"assi',
  "[warn] not an event",
  '"just a string"',
];

/** Answers the exit code. Says at every place that no model was asked. */
export async function rehearse(rehearsal: Rehearsal): Promise<number> {
  const { read, model } = rehearsal;
  const stream = createStream();
  const tools = createDaemonTools(stream, {
    url: rehearsal.mcpUrl,
    token: rehearsal.token,
    retryForMs: lastOf(read.directives, "retry-for")?.ms ?? RETRY_FOR_MS,
  });
  const touched = { created: new Set<string>(), edited: new Set<string>() };
  const run: Run = { ...rehearsal, stream, tools, touched };

  stream.init(process.cwd());
  stream.user(read.firstLine);
  stream.say(`リハーサル: モデル ${model} には尋ねず、手順だけを動かします。`);

  const failure = await performAll(run);
  const error = failure === undefined ? null : `リハーサル: ${failure}`;
  const usage = lastOf(read.directives, "usage") ?? null;
  if (usage) stream.say("リハーサル: 使用量は指示された値で、実際の消費ではありません。");
  stream.end({
    ok: error === null,
    error,
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  });
  await tools.close();
  await sleep(lastOf(read.directives, "linger")?.ms ?? 0);
  return error === null ? 0 : 1;
}

/** From top to bottom, then the report unless one was made or forbidden. Answers what went wrong. */
async function performAll(run: Run): Promise<string | undefined> {
  const { directives } = run.read;
  const unknown = directives.find((directive) => directive.verb === "unknown");
  if (unknown) return `この指示は分かりません: ${unknown.line}`;
  for (const directive of directives) {
    const error = await perform(run, directive);
    if (error !== undefined) return error;
  }
  if (directives.some(({ verb }) => verb === "report" || verb === "no-report")) return undefined;
  return report(run, {
    verb: "report",
    status: "success",
    summary: `モデルには何も尋ねていません。依頼の 1 行目は「${run.read.firstLine}」です。`,
  });
}

async function perform(run: Run, directive: Directive): Promise<string | undefined> {
  const { stream } = run;
  switch (directive.verb) {
    case "say":
      stream.say(directive.text);
      return undefined;
    case "sleep":
      await sleep(directive.ms);
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
      for (let i = 0; i < directive.count; i++) stream.raw(GARBAGE[i % GARBAGE.length] ?? "");
      return undefined;
    case "stderr":
      writeAll(2, `${directive.text}\n`);
      return undefined;
    case "stderr-flood":
      await flood(directive.bytes);
      return undefined;
    case "write":
    case "edit":
      await changeFile(stream, directive, run.isReadOnly, run.touched);
      return undefined;
    case "echo-prompt":
      await writeFile(directive.path, run.prompt);
      return undefined;
    case "grandchild":
      await startGrandchild(stream, directive.ms);
      return undefined;
    case "tool":
      return callTool(run, directive.name, directive.json);
    case "report":
      return report(run, directive);
    // These hold for the whole run, wherever they stand.
    case "usage":
    case "linger":
    case "retry-for":
    case "ignore-term":
    case "no-report":
    case "unknown":
      return undefined;
  }
}

async function flood(bytes: number): Promise<void> {
  const line = Buffer.alloc(FLOOD_BYTES, `${"e".repeat(127)}\n`);
  for (let left = bytes; left > 0; left -= line.length) {
    writeAll(2, line.subarray(0, Math.min(left, line.length)));
    await nextTurn();
  }
}

/** In a session of its own, so that a signal to our process group misses it, and holding our stdout. */
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

async function callTool(run: Run, name: string, json: string): Promise<string | undefined> {
  // The writer of a prompt cannot know the ids that are drawn when it is launched.
  const args = parseJson(
    json
      .replaceAll("{{agentId}}", run.agentId ?? run.read.agentId ?? "")
      .replaceAll("{{groupId}}", run.read.groupId ?? ""),
  );
  if (!isFields(args)) return `${name} の引数が JSON オブジェクトではありません: ${json}`;
  const answer = await run.tools.call(name, args);
  const outcome = answer.isError ? "失敗しました" : "答えました";
  run.stream.say(`リハーサル: ${name} は${outcome}: ${shorten(answer.text, ANSWER_CHARS)}`);
  return undefined;
}

async function report(run: Run, { status, summary }: Report): Promise<string | undefined> {
  const { stream, tools, read, touched } = run;
  if (!tools.isKnown) {
    stream.say("リハーサル: KUROMAJUTSU_MCP_URL が無いので、結果は報告しません。");
    return undefined;
  }
  const agentId = run.agentId ?? read.agentId;
  if (agentId === undefined) return "Agent ID が環境変数にもプロンプトにもありません。";
  if (read.agentId !== undefined && read.agentId !== agentId) {
    return `Agent ID が食い違います (環境変数 ${agentId}、プロンプト ${read.agentId})。`;
  }

  const answer = await tools.call("report_result", {
    agentId,
    status,
    summary: `リハーサル: ${summary}`,
    response: responseOf(run),
    editedFiles: [...touched.edited],
    createdFiles: [...touched.created],
    ...(status === "success" ? {} : { errorMessage: `リハーサル: ${summary}` }),
  });
  if (!answer.isError) {
    stream.say("リハーサル: 結果を報告しました。");
    return undefined;
  }
  return `結果を報告できませんでした: ${shorten(answer.text, ANSWER_CHARS)}`;
}

/** One line each: no line of it may look like a directive to a later stage that is given this report. */
function responseOf({ read, touched, model }: Run): string {
  const verbs = read.directives.map(({ verb }) => verb).join("、");
  return [
    "リハーサルの報告です。",
    `- 実施内容: モデル (${model}) には何も尋ねず、プロセスの起動、ストリーム、ツール呼び出しだけを動かしました。`,
    `- 依頼の 1 行目: 「${read.firstLine}」`,
    `- 実行した指示: ${verbs || "なし"}`,
    `- 作成したファイル: ${[...touched.created].join("、") || "なし"}`,
    `- 編集したファイル: ${[...touched.edited].join("、") || "なし"}`,
    "- 注意点: 依頼の中身は検討していません。",
  ].join("\n");
}

function lastOf<Verb extends Directive["verb"]>(
  directives: readonly Directive[],
  verb: Verb,
): Extract<Directive, { readonly verb: Verb }> | undefined {
  return directives.findLast((directive) => isVerb(directive, verb));
}

function isVerb<Verb extends Directive["verb"]>(
  directive: Directive,
  verb: Verb,
): directive is Extract<Directive, { readonly verb: Verb }> {
  return directive.verb === verb;
}
