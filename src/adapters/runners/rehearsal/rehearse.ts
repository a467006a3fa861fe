import { setTimeout as sleep } from "node:timers/promises";
import { isOfATask, isOfThePlay, isStep } from "./directives.ts";
import { ToldToStop } from "./notices.ts";
import { Parked } from "./patience.ts";
import { AskedToFail, perform } from "./perform.ts";
import { report } from "./report.ts";
import { isVerb, lastOf, type Rehearsal, type Report, type Run } from "./run.ts";
import { createStream } from "./stream.ts";
import { createDaemonTools } from "./tools.ts";

const RETRY_FOR_MS = 60_000;

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
  const diary = { notices: [], events: [], hasReported: false };
  const run: Run = { ...rehearsal, stream, tools, touched, diary };

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
  const problem = cannotBegin(run);
  if (problem !== undefined) return problem;
  sayIgnored(run);
  try {
    for (const directive of run.read.directives) {
      const error = await perform(run, directive);
      if (error !== undefined) return error;
    }
    if (run.diary.hasReported) return undefined;
    return await conclude(run, await play(run));
  } catch (error) {
    if (error instanceof AskedToFail) return error.message;
    const last = lastWordAfter(error);
    if (!last) throw error;
    run.stream.say(`リハーサル: ${last.summary}`);
    return conclude(run, last);
  }
}

function cannotBegin({ read }: Run): string | undefined {
  const unknown = read.directives.find((directive) => isVerb(directive, "unknown"));
  if (unknown) return `この指示は分かりません: ${unknown.line}`;
  if (read.task) return read.task.input ? undefined : "入力の JSON を読めません。";
  const scoped = read.directives.find(isOfATask);
  return scoped && `指示 ${scoped.verb} は、タスクの依頼の中でだけ使えます。`;
}

/** A line that did nothing must not look like one that worked. */
function sayIgnored({ read, stream }: Run): void {
  const verbs = read.task?.ignored.map(({ verb }) => verb) ?? [];
  if (verbs.length === 0) return;
  stream.say(
    `リハーサル: 誰への指示か書かれていないので、無視しました (#rehearsal in <職種> … と書きます): ${verbs.join("、")}`,
  );
}

/** Being told to stop, or to leave it to the next agent, is no error. */
function lastWordAfter(error: unknown): Report | undefined {
  if (error instanceof ToldToStop) {
    const { action, text } = error;
    const summary = `止まるように伝えられたので、ここで止めました (${action}): ${text}`;
    return { status: "cancelled", result: action, summary };
  }
  if (error instanceof Parked) {
    const summary = `人の判断を待つので、ここで終わります: ${error.message}`;
    return { status: "cancelled", result: "waiting", summary };
  }
  return undefined;
}

/** What the role does by itself. Few runs need these parts, and all would pay for loading them. */
async function play(run: Run): Promise<Report> {
  const input = run.read.task?.input;
  if (input?.stage === "execution") {
    const { execute } = await import("./executor/execute.ts");
    return execute(run, input);
  }
  if (input) {
    const { draft } = await import("./drafting/draft.ts");
    return draft(run, input);
  }
  if (!isOrchestrating(run)) return ordinaryReport(run);
  const { orchestrate } = await import("./orchestrator/orchestrate.ts");
  return orchestrate(run);
}

/** An orchestrator whose prompt says what to do instead does only that. */
function isOrchestrating({ read, tools }: Run): boolean {
  if (read.role !== "orchestrator" || !tools.isKnown) return false;
  return read.directives.some(isOfThePlay) || !read.directives.some(isStep);
}

async function conclude(run: Run, last: Report): Promise<string | undefined> {
  if (run.diary.hasReported || lastOf(run.read.directives, "no-report")) return undefined;
  return report(run, last);
}

function ordinaryReport({ read }: Run): Report {
  return {
    status: "success",
    summary: `モデルには何も尋ねていません。依頼の 1 行目は「${read.firstLine}」です。`,
  };
}
