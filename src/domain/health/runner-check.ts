import { compareVersions } from "../../base/compare-versions.ts";
import type { FailureKind, RunnerId } from "../agents/runner.ts";
import { CLI_FACTS, type CliFacts } from "./cli-facts.ts";

export const FINDING_KINDS = [
  "not-found",
  "too-old",
  "newer-than-tested",
  "signed-out",
  "quota",
  "rate-limit",
  "overloaded",
  "directory-not-trusted",
  "model-unknown",
  "session-lost",
  "not-started",
  "timeout",
  /** It answered, but sent no request to our MCP server. */
  "not-connected",
  /** The same, for a CLI that takes our server only from the user's own settings. */
  "no-mcp-entry",
  "tool-not-called",
  "failed",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Something that a person should know about a CLI, and the command that helps. */
export type Finding = {
  readonly kind: FindingKind;
  /** The command to type in a terminal; null: no command helps. */
  readonly run: string | null;
  /** The CLI's own words, or the version that is meant. */
  readonly detail: string | null;
};

/** From best to worst. */
export const RUNNER_STATUSES = ["works", "limited", "failed", "not-found"] as const;

/** What one real run of a CLI showed. */
export type RunnerCheck = {
  readonly runner: RunnerId;
  /** `limited`: it answers, but it did not call our tool. */
  readonly status: (typeof RUNNER_STATUSES)[number];
  readonly command: string | null;
  readonly version: string | null;
  readonly tested: CliFacts["tested"];
  /** null: the run did not show it. */
  readonly signedIn: boolean | null;
  readonly answered: boolean;
  readonly connected: boolean;
  readonly calledTool: boolean;
  readonly responseTime_ms: number | null;
  readonly findings: readonly Finding[];
  /** Variables that sign this CLI in and that the daemon does not have. */
  readonly missingVariables: readonly string[];
  /** Names of the caller's own keys that the run used; the daemon does not have them. */
  readonly clientKeys?: readonly string[];
  readonly checkedAt: string;
};

/** Why a CLI did not answer, where that is known. */
export type RunFailure = FailureKind | "not-started" | "timeout";

/** How a run ended. */
export type RunSeen = {
  /** It answered, and it did all that an agent needs. */
  readonly ok: boolean;
  readonly answered: boolean;
  readonly connected: boolean;
  readonly calledTool: boolean;
  readonly usesOwnMcpEntry: boolean;
  readonly failure: RunFailure | null;
  readonly reason: string | null;
  readonly responseMs: number | null;
};

export type RunnerSeen = {
  readonly runner: RunnerId;
  readonly command: string | null;
  readonly version: string | null;
  /** null: the CLI was not found, so it was not run. */
  readonly run: RunSeen | null;
  readonly missingVariables: readonly string[];
  readonly checkedAt: number;
};

export function judgeRunner({ run, checkedAt, ...seen }: RunnerSeen): RunnerCheck {
  const { runner, version } = seen;
  const facts = CLI_FACTS[runner];
  return {
    ...seen,
    status: statusOf(run),
    tested: facts?.tested ?? null,
    signedIn: signedIn(run),
    answered: run?.answered ?? false,
    connected: run?.connected ?? false,
    calledTool: run?.calledTool ?? false,
    responseTime_ms: run?.responseMs ?? null,
    findings: run
      ? [...findingsOfVersion(version, facts), ...findingsOfRun(run, facts)]
      : [{ kind: "not-found", run: facts?.install ?? null, detail: null }],
    checkedAt: new Date(checkedAt).toISOString(),
  };
}

function statusOf(run: RunSeen | null): RunnerCheck["status"] {
  if (!run) return "not-found";
  if (!run.ok) return "failed";
  return run.calledTool ? "works" : "limited";
}

function signedIn(run: RunSeen | null): boolean | null {
  if (run?.failure === "signed-out") return false;
  return run?.answered ? true : null;
}

function findingsOfVersion(version: string | null, facts: CliFacts | undefined): Finding[] {
  if (version === null || !facts?.tested) return [];
  const { oldest, newest } = facts.tested;
  if (compareVersions(version, oldest) < 0) {
    return [{ kind: "too-old", run: facts.update, detail: oldest }];
  }
  if (compareVersions(version, newest) > 0) {
    return [{ kind: "newer-than-tested", run: null, detail: newest }];
  }
  return [];
}

function findingsOfRun(run: RunSeen, facts: CliFacts | undefined): Finding[] {
  if (!run.answered) {
    const detail = cliWords(run.reason);
    const kind: FindingKind = run.failure ?? "failed";
    return [{ kind, run: commandFor(kind, facts), detail }];
  }
  if (run.calledTool) return [];
  if (run.connected) return [{ kind: "tool-not-called", run: null, detail: null }];
  return run.usesOwnMcpEntry
    ? [{ kind: "no-mcp-entry", run: "kuromajutsu init", detail: null }]
    : [{ kind: "not-connected", run: facts?.update ?? null, detail: null }];
}

/** Without our own advice, because the finding has it in the language of the reader. */
function cliWords(reason: string | null): string | null {
  return reason?.split("The CLI said: ").at(-1) ?? null;
}

function commandFor(kind: FindingKind, facts: CliFacts | undefined): string | null {
  if (!facts) return null;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- for the rest, see the CLI's own words
  switch (kind) {
    case "signed-out":
      return facts.signIn;
    case "not-started":
      return facts.install;
    case "directory-not-trusted":
      return facts.update;
    case "quota":
    case "rate-limit":
    case "overloaded":
      return null;
    default:
      return facts.tryOut;
  }
}
