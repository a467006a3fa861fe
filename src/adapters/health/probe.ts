import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { HealthProbe, ProbeAnswer, Question } from "../../app/ports/health.ts";
import { createLineSplitter } from "../../base/lines.ts";
import type { RunnerEvent } from "../../domain/agents/runner.ts";
import { runBounded, type BoundedEnd } from "../bounded-run.ts";
import { endMarked, isOrphaned } from "../marked-processes.ts";
import { writeRunFiles } from "../run-files.ts";

/** A short answer takes a few kilobytes with all its events. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REASON = 500;

type End = Extract<RunnerEvent, { type: "end" }>;
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
        return { ok: false, reason: `It could not be asked: ${String(error)}`, responseMs: null };
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
      mcp: null,
    },
    executable,
  );
  writeRunFiles(runDirectory, files);
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  let answered: Answered | undefined;
  const lines = createLineSplitter((line) => {
    const end = runner.parse(line)?.findLast((event) => event.type === "end");
    if (end) answered = { end, afterMs: elapsed() };
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
  const failure = failureOf(question, ended, answered, question.timeoutMs);
  return {
    ok: failure === null,
    reason: failure === null ? remarkOn(ended) : oneSafeLine(failure, question.secrets),
    responseMs: answered?.afterMs ?? (failure === null ? elapsed() : null),
  };
}

/** A check passes only with a success event, and with exit code 0 if the CLI exits by itself. */
function failureOf(
  { runner }: Question,
  ended: BoundedEnd,
  answered: Answered | undefined,
  timeoutMs: number,
): string | null {
  const stderr = ended.stderrTail.trim();
  const diagnosis = runner.diagnose(stderr, ended.exitCode)?.message;
  if (ended.how === "not-started") return `It could not be started: ${stderr}`;
  if (answered && !answered.end.ok) return answered.end.error ?? "It answered with an error.";
  if (diagnosis !== undefined && (!answered || ended.exitCode !== 0)) {
    return `${diagnosis} The CLI said: ${stderr}`;
  }
  if (ended.how === "exited" && ended.exitCode !== 0) {
    return stderr || `It ended with ${ended.exitSignal ?? `exit code ${ended.exitCode}`}.`;
  }
  if (answered) return null;
  switch (ended.how) {
    case "timeout":
      return `No answer within ${timeoutMs / 1_000} s. ${stderr}`;
    case "flooded":
      return `More than ${MAX_BYTES / 1_048_576} MB of output without an answer.`;
    case "aborted":
      return "The check was cancelled.";
    case "exited":
    case "lingered":
      return `It ended without a result event. ${stderr}`;
  }
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
