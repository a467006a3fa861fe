import { truncateStart } from "../../base/truncate.ts";
import type { MergeProblem } from "../../domain/merges/merge-problem.ts";
import { plainText } from "../../domain/text/plain-text.ts";
import type { Oid } from "../ports/git.ts";
import type { CommandEnd } from "../ports/workspace-tools.ts";
import { requireRound, type MergeRound } from "./merge-round.ts";

export type CheckEnd = {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly output: string;
  readonly problem: MergeProblem | null;
};

/** `workspace.setup` failed in the worktree of checks, so no change can be checked. */
export class CheckSetupFailed extends Error {
  readonly end: CheckEnd;
  constructor(end: CheckEnd) {
    super("workspace.setup failed in the worktree of checks.");
    this.name = "CheckSetupFailed";
    this.end = end;
  }
}

export type CheckCommit = (commit: { readonly oid: Oid; readonly tree: Oid }) => Promise<CheckEnd>;

const KNOWN: CheckEnd = { passed: true, exitCode: 0, output: "", problem: null };

/**
 * Runs `workspace.check` on commits in a worktree of its own. Never twice on the same tree, except
 * that a failure counts for one round: a person may retry a check that is flaky.
 */
export function createCheck(round: MergeRound, command: string, source: string): CheckCommit {
  const failed = new Map<Oid, CheckEnd>();
  let isSetUp = false;
  return async ({ oid, tree }) => {
    const known = round.passed.has(tree, command) ? KNOWN : failed.get(tree);
    if (known) return known;
    const { path, mark } = checkPlace(round);
    await round.core.git.prepareIntegration(round.repository, path, mark, oid);
    if (!isSetUp) await setUp(round, source, path, mark);
    isSetUp = true;
    const { checkTimeoutMs } = round.core.settings.workspace;
    const end = endOf(await run(round, command, path, mark, checkTimeoutMs), checkTimeoutMs);
    if (end.passed) round.passed.add(tree, command);
    else failed.set(tree, end);
    return end;
  };
}

/** The worktree of checks of a repository, and the mark of its processes. */
export function checkPlace({ core, repository }: Pick<MergeRound, "core" | "repository">): {
  readonly path: string;
  readonly mark: string;
} {
  const key = core.tokens.hash(repository).slice(0, 16);
  const path = core.directories.resolve(`${key}/check`, core.settings.workspace.root);
  // Not of the repository alone: another daemon may run a check on the same one.
  return { path, mark: `check-${core.tokens.hash(path).slice(0, 16)}` };
}

async function setUp(round: MergeRound, source: string, path: string, mark: string): Promise<void> {
  const { copy, setup, setupTimeoutMs } = round.core.settings.workspace;
  if (copy.length > 0) await round.core.workspaceTools.copyIgnored(source, path, copy);
  if (setup === null) return;
  const end = endOf(await run(round, setup, path, mark, setupTimeoutMs), setupTimeoutMs);
  if (!end.passed) throw new CheckSetupFailed({ ...end, problem: { type: "setup_failed" } });
}

async function run(
  round: MergeRound,
  command: string,
  directory: string,
  mark: string,
  timeoutMs: number,
): Promise<CommandEnd> {
  requireRound(round);
  const { core, signal } = round;
  const end = await core.workspaceTools.run({
    command,
    directory,
    variables: {},
    timeoutMs,
    mark,
    signal,
  });
  requireRound(round);
  return end;
}

function endOf({ exitCode, timedOut, output }: CommandEnd, timeoutMs: number): CheckEnd {
  const passed = exitCode === 0 && !timedOut;
  return {
    passed,
    exitCode,
    output: endOfOutput(output),
    problem: passed
      ? null
      : timedOut
        ? { type: "check_timed_out", afterMs: timeoutMs }
        : { type: "check_failed", exitCode },
  };
}

const MAX_LINES = 200;
const MAX_CHARS = 32_768;

/** The end, because tests report their failures last. */
function endOfOutput(output: string): string {
  const lines = plainText(output).trimEnd().split("\n");
  const dropped = lines.length - MAX_LINES;
  const kept = dropped > 0 ? ["…", ...lines.slice(dropped)] : lines;
  return truncateStart(kept.join("\n"), MAX_CHARS);
}
