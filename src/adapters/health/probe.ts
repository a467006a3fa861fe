import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { HealthProbe, ProbeAnswer, Question } from "../../app/ports/health.ts";
import { createLineSplitter } from "../../base/lines.ts";
import type { RunnerEvent } from "../../domain/agents/runner.ts";
import type { RunFailure } from "../../domain/health/runner-check.ts";
import { runBounded, type BoundedEnd } from "../bounded-run.ts";
import { endMarked, isOrphaned } from "../marked-processes.ts";
import { writeRunFiles } from "../run-files.ts";

/** A short answer takes a few kilobytes with all its events. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REASON = 500;

type End = Extract<RunnerEvent, { type: "end" }>;
type Retry = Extract<RunnerEvent, { type: "retry" }>;
type Answered = { readonly end: End; readonly afterMs: number };

export type HealthProbeOptions = {
  readonly lingerMs?: number;
  readonly graceMs?: number;
  /** Used by the probe alone, and emptied before the first question: a killed daemon leaves files. */
  readonly directory?: string;
};

export function createHealthProbe(options: HealthProbeOptions = {}): HealthProbe {
  // Before the first question, remove what a killed daemon has left.
  let tidied: Promise<void> | undefined;
  return {
    async ask(question, signal) {
      await (tidied ??= tidyUp(options.directory));
      try {
        const directory = await makeDirectory(options.directory);
        try {
          return await askIn(directory, question, options, signal);
        } finally {
          for (const each of [directory, `${directory}.run`]) {
            await rm(each, { recursive: true, force: true, maxRetries: 2 });
          }
        }
      } catch (error) {
        const reason = `It could not be asked: ${String(error)}`;
        return { ok: false, reason, responseMs: null, failure: "not-started" };
      }
    },
  };
}

async function tidyUp(directory: string | undefined): Promise<void> {
  await endMarked(isOrphaned);
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}

async function makeDirectory(parent: string | undefined): Promise<string> {
  if (parent === undefined) return mkdtemp(join(tmpdir(), "kuromajutsu-probe-"));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return mkdtemp(join(parent, "probe-"));
}

async function askIn(
  directory: string,
  question: Question,
  options: HealthProbeOptions,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const { runner, executable, model, prompt, access } = question;
  const runDirectory = `${directory}.run`;
  const { argv, env, stdin, files } = runner.command(
    {
      agentId: `health-check-${basename(directory)}`,
      model,
      prompt,
      workingDirectory: directory,
      access,
      purpose: "health-check",
      runDirectory,
      mcp: question.mcp,
    },
    executable,
  );
  writeRunFiles(runDirectory, files);
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  let answered: Answered | undefined;
  let retry: Retry | undefined;
  const lines = createLineSplitter((line) => {
    for (const event of runner.parse(line) ?? []) {
      if (event.type === "end") answered = { end: event, afterMs: elapsed() };
      if (event.type === "retry") retry = event;
    }
  });
  const ended = await runBounded(
    {
      argv,
      env: { ...question.env, ...env },
      cwd: directory,
      stdin,
      timeoutMs: question.timeoutMs,
      maxBytes: MAX_BYTES,
      stopSignal: runner.stopSignal,
      onOutput: lines.push,
      isDone: () => answered !== undefined,
      ...options,
    },
    signal,
  );
  lines.end();
  const failed = failureOf(question, ended, answered, retry);
  return {
    ok: failed === null,
    reason: failed === null ? remarkOn(ended) : oneSafeLine(failed.reason, question.secrets),
    responseMs: answered?.afterMs ?? (failed === null ? elapsed() : null),
    failure: failed?.kind ?? null,
    ...(failed?.resetsAt && { resetsAt: failed.resetsAt }),
  };
}

type Failed = {
  readonly reason: string;
  readonly kind: RunFailure | null;
  readonly resetsAt?: number | null;
};

/** A check passes only with a success event, and with exit code 0 if the CLI exits by itself. */
function failureOf(
  { runner, timeoutMs }: Question,
  ended: BoundedEnd,
  answered: Answered | undefined,
  retry: Retry | undefined,
): Failed | null {
  const stderr = ended.stderrTail.trim();
  const diagnosis = runner.diagnose(stderr, ended.exitCode);
  if (ended.how === "not-started") {
    return { reason: `It could not be started: ${stderr}`, kind: "not-started" };
  }
  if (answered && !answered.end.ok) {
    const { error, failure } = answered.end;
    return { reason: error ?? "It answered with an error.", kind: null, ...failure };
  }
  if (diagnosis !== undefined && (!answered || ended.exitCode !== 0)) {
    const reason = `${diagnosis.message} The CLI said: ${stderr}`;
    return { reason, ...diagnosis.failure };
  }
  if (ended.how === "exited" && ended.exitCode !== 0) {
    const exit = ended.exitSignal ?? `exit code ${ended.exitCode}`;
    return { reason: stderr || `It ended with ${exit}.`, kind: null };
  }
  if (answered) return null;
  if (ended.how === "timeout") {
    const last = retry ? `The last try failed: ${retry.reason}` : stderr;
    const reason = `No answer within ${timeoutMs / 1_000} s. ${last}`;
    return { reason, kind: "timeout", ...retry?.failure };
  }
  return { reason: withoutAnswer(ended.how, stderr), kind: null };
}

function withoutAnswer(how: BoundedEnd["how"], stderr: string): string {
  if (how === "flooded") {
    return `More than ${MAX_BYTES / 1_048_576} MB of output without an answer.`;
  }
  if (how === "aborted") return "The check was cancelled.";
  return `It ended without a result event. ${stderr}`;
}

function remarkOn({ how }: BoundedEnd): string | null {
  return how === "exited" ? null : "It answered but did not exit by itself; it was ended.";
}

/** One short line without secrets, to be shown, logged and stored. */
function oneSafeLine(text: string, secrets: readonly string[]): string {
  let plain = stripVTControlCharacters(text);
  for (const secret of secrets) {
    // Shorter values are no keys, and replacing them would garble the text.
    if (secret.length >= 8) plain = plain.replaceAll(secret, "***");
  }
  plain = plain.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return plain.length > MAX_REASON ? `…${plain.slice(-MAX_REASON)}` : plain;
}
