import { setTimeout as sleep } from "node:timers/promises";
import { isOfThePlay, isStep } from "./directives.ts";
import { ToldToStop } from "./notices.ts";
import { perform } from "./perform.ts";
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
  const { directives } = run.read;
  const unknown = directives.find((directive) => isVerb(directive, "unknown"));
  if (unknown) return `この指示は分かりません: ${unknown.line}`;
  try {
    for (const directive of directives) {
      const error = await perform(run, directive);
      if (error !== undefined) return error;
    }
    return await conclude(run, isPlaying(run) ? await play(run) : ordinaryReport(run));
  } catch (error) {
    if (!(error instanceof ToldToStop)) throw error;
    const { type, text } = error.notice;
    const summary = `止まるように伝えられたので、ここで止めました (${type}): ${text}`;
    run.stream.say(`リハーサル: ${summary}`);
    return conclude(run, { status: "cancelled", summary });
  }
}

/** An orchestrator whose prompt says what to do instead does only that. */
function isPlaying({ read, tools }: Run): boolean {
  if (read.role !== "orchestrator" || !tools.isKnown) return false;
  return read.directives.some(isOfThePlay) || !read.directives.some(isStep);
}

async function play(run: Run): Promise<Report> {
  // Few runs need it, and all would pay for loading it.
  const { orchestrate } = await import("./orchestrator/orchestrate.ts");
  return orchestrate(run);
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
