import { VENDOR_VARIABLES } from "../../contract/hello.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import {
  judgeRunner,
  type RunnerCheck,
  type RunnerSeen,
} from "../../domain/health/runner-check.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, VendorKeys } from "../core.ts";
import type { Runner } from "../ports/runner.ts";
import { namesOfClientKeys } from "../roles/names-of-client-keys.ts";
import { DEFAULT_MODEL, type FoundRunner } from "../roles/resolve-runner.ts";
import { askCli, type AskCli, type CliAnswer } from "./ask-cli.ts";
import { emitHealth } from "./health-events.ts";
import { learnFromRun } from "./runner-problems.ts";

const PROMPT = "Respond with exactly: OK";

/**
 * Finds the CLI, reads its version and runs it once with its own default model, as an agent of this
 * caller would be run. Concurrent callers share one run.
 */
export function checkRunner(core: Core, id: RunnerId, keys: VendorKeys = {}): Promise<RunnerCheck> {
  const runner = requireCli(core, id);
  const names = namesOfClientKeys(core, runner, Object.keys(keys));
  if (names.length > 0) {
    return checkWithKeys(
      core,
      runner,
      Object.fromEntries(names.map((name) => [name, keys[name] ?? ""])),
    );
  }
  return core.health.checkOnce(id, async () => {
    const check = await checkNow(core, runner);
    await learnRunner(core, check);
    return check;
  });
}

/** Nothing is learned from it, because it says nothing about agents without these keys. */
function checkWithKeys(core: Core, runner: Runner, keys: VendorKeys): Promise<RunnerCheck> {
  const key = `${runner.id} ${core.tokens.hash(JSON.stringify(keys))}`;
  return core.health.checkOnce(key, async () => ({
    ...(await checkNow(core, runner, keys)),
    clientKeys: Object.keys(keys),
  }));
}

/** The agent CLIs and what is known about them; starts no process. */
export async function viewClis(core: Core) {
  const clis = [...core.runners.values()].filter(
    ({ id }) => id !== "rehearsal" && (id !== "acp" || isAcpUsed(core)),
  );
  return Promise.all(
    clis.map(async (runner) => {
      const command = (await runner.detect())?.command ?? null;
      return { runner: runner.id, command, check: knownCheck(core, runner, command) };
    }),
  );
}

/** Otherwise it would only repeat a CLI that has a runner of its own. */
function isAcpUsed({ settings, roles }: Core): boolean {
  return [settings.runner, ...[...roles.values()].map(({ runner }) => runner)]
    .flat()
    .includes("acp");
}

/** A check of another program counts no more: the CLI was installed or moved since. */
function knownCheck(core: Core, runner: Runner, command: string | null): RunnerCheck | null {
  if (command === null) return notFound(core, runner);
  const known = core.health.runner(runner.id);
  return known?.command === command ? known : null;
}

function notFound(core: Core, runner: Runner): RunnerCheck {
  return judged(core, runner, { command: null, version: null, run: null });
}

async function checkNow(core: Core, runner: Runner, keys?: VendorKeys): Promise<RunnerCheck> {
  const found = await runner.detect();
  if (!found) return notFound(core, runner);
  const question: AskCli = {
    model: DEFAULT_MODEL,
    access: "read-only",
    prompt: PROMPT,
    ...(keys && { keys }),
  };
  const { command } = found;
  const { check } = await runOnce(core, { runner, command }, question, core.health.closing);
  return check;
}

/** One real run of a CLI, and what it shows about the CLI itself. */
export async function runOnce(
  core: Core,
  found: FoundRunner,
  question: AskCli,
  signal: AbortSignal,
): Promise<{ readonly answer: CliAnswer; readonly check: RunnerCheck }> {
  const { runner, command } = found;
  const [version = null, answer] = await Promise.all([
    runner.version(command),
    askCli(core, found, question, signal),
  ]);
  if (!signal.aborted && !question.keys) {
    await learnFromRun(core, { runner: runner.id, model: question.model }, answer);
  }
  const run = { ...answer, usesOwnMcpEntry: runner.usesOwnMcpEntry ?? false };
  return { answer, check: judged(core, runner, { command, version, run }) };
}

function judged(
  core: Core,
  { id, vendorVariables }: Runner,
  seen: Pick<RunnerSeen, "command" | "version" | "run">,
): RunnerCheck {
  return judgeRunner({
    ...seen,
    runner: id,
    missingVariables: vendorVariables.filter(
      (name) => VENDOR_VARIABLES.includes(name) && !core.environment.has(name),
    ),
    checkedAt: core.clock.now(),
  });
}

export async function learnRunner(core: Core, check: RunnerCheck): Promise<void> {
  core.health.learnRunner(check);
  await emitHealth(core, [{ type: "healthcheck:runner_complete", data: check }]);
}

function requireCli({ runners }: Core, id: RunnerId): Runner {
  const runner = id === "rehearsal" ? undefined : runners.get(id);
  if (runner) return runner;
  const known = [...runners.keys()].filter((each) => each !== "rehearsal");
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [`${id} is no agent CLI that this version can run.`, `Use one of: ${known.join(", ")}.`],
    ja: [
      `${id} は、この版で動かせるエージェント CLI ではありません。`,
      `使えるもの: ${known.join(", ")}。`,
    ],
  });
}
