import { setTimeout as sleep } from "node:timers/promises";
import { Parked } from "./call-until-decided.ts";
import { isOfATask, isOfThePlay, isStep } from "./directives.ts";
import { Interrupted } from "./notifications.ts";
import { AskedToFail, perform } from "./perform.ts";
import { report } from "./report.ts";
import { isVerb, lastOf, type Rehearsal, type Report, type Run } from "./run.ts";
import { createStream } from "./stream.ts";
import { TEXTS, type RehearsalTexts } from "./texts.ts";
import { createDaemonTools } from "./tools.ts";

const RETRY_FOR_MS = 60_000;

/** Returns the exit code. Every text states that no model was asked. */
export async function rehearse(rehearsal: Rehearsal): Promise<number> {
  const { read, model } = rehearsal;
  const stream = createStream();
  const tools = createDaemonTools(stream, {
    url: rehearsal.mcpUrl,
    token: rehearsal.token,
    retryForMs: lastOf(read.directives, "retry-for")?.ms ?? RETRY_FOR_MS,
  });
  const touched = { created: new Set<string>(), edited: new Set<string>() };
  const diary = {
    notifications: [],
    events: [],
    answers: [],
    failures: new Map(),
    hasReported: false,
  };
  const texts = TEXTS[read.language];
  const run: Run = { ...rehearsal, texts, stream, tools, touched, diary };

  stream.init(process.cwd());
  stream.user(read.firstLine);
  stream.say(texts.simulated(texts.start(model)));

  const failure = await performAll(run);
  const error = failure === undefined ? null : texts.simulated(failure);
  const usage = lastOf(read.directives, "usage") ?? null;
  if (usage) stream.say(texts.simulated(texts.usageAskedFor));
  stream.end({
    ok: error === null,
    error,
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  });
  await tools.close();
  await sleep(lastOf(read.directives, "linger")?.ms ?? 0);
  return error === null ? 0 : 1;
}

/**
 * Carries out the directives from top to bottom, then reports, unless a directive already did or
 * forbids it. Returns what went wrong.
 */
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
    return await conclude(run, await playRole(run));
  } catch (error) {
    if (error instanceof AskedToFail) return error.message;
    const last = reportAfter(error, run.texts);
    if (!last) throw error;
    run.stream.say(run.texts.simulated(last.summary));
    return conclude(run, last);
  }
}

function cannotBegin({ read, texts }: Run): string | undefined {
  const unknown = read.directives.find((directive) => isVerb(directive, "unknown"));
  if (unknown) return texts.unknownDirective(unknown.line);
  if (read.task) return read.task.input ? undefined : texts.unreadableInput;
  const scoped = read.directives.find(isOfATask);
  return scoped && texts.onlyInTask(scoped.verb);
}

/** A directive that did nothing must not look like one that worked. */
function sayIgnored({ read, stream, texts }: Run): void {
  const verbs = read.task?.ignored.map(({ verb }) => verb) ?? [];
  if (verbs.length === 0) return;
  stream.say(texts.simulated(texts.ignored(texts.list(verbs))));
}

/** An interrupt, or leaving the work to the next executor, is not an error. */
function reportAfter(error: unknown, texts: RehearsalTexts): Report | undefined {
  if (error instanceof Interrupted) {
    const { action, reason } = error;
    return { status: "cancelled", result: action, summary: texts.stopped(action, reason) };
  }
  if (error instanceof Parked) {
    return { status: "cancelled", result: "waiting", summary: texts.parked(error.message) };
  }
  return undefined;
}

/** The role's own work. Loaded lazily, because few runs need it. */
async function playRole(run: Run): Promise<Report> {
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

/** An orchestrator whose prompt has directives for its own steps only carries out those. */
function isOrchestrating({ read, tools }: Run): boolean {
  if (read.role !== "orchestrator" || !tools.isKnown) return false;
  return read.directives.some(isOfThePlay) || !read.directives.some(isStep);
}

async function conclude(run: Run, last: Report): Promise<string | undefined> {
  if (run.diary.hasReported || lastOf(run.read.directives, "no-report")) return undefined;
  return report(run, last);
}

function ordinaryReport({ read, texts, diary }: Run): Report {
  const summary = texts.ordinary(read.firstLine);
  const failures = texts.list([...diary.failures.values()]);
  return {
    status: "success",
    summary: failures === "" ? summary : texts.andFailed(summary, failures),
  };
}
