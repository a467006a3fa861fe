import { RUNNER_IDS, type RunnerId } from "../../domain/agents/runner.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import type { Runner } from "../ports/runner.ts";

export type ResolvedRunner = { readonly runner: Runner; readonly command: string };

type Runners = Pick<Core, "runners" | "settings">;

/** The runner that a role names, else the first installed CLI, else rehearsal. */
export async function resolveRunner(core: Runners, role: Role): Promise<ResolvedRunner> {
  const wanted = wantedRunner(core, role);
  for (const id of candidatesFor(core, wanted)) {
    const found = await findRunner(core, id);
    if (found) return found;
  }
  throw notRunnable(core, role, wanted);
}

export function wantedRunner({ settings }: Pick<Core, "settings">, role: Role): RunnerId | "auto" {
  return role.runner === "auto" ? settings.runner : role.runner;
}

/** Like resolveRunner, for many roles; undefined: the role cannot run. */
export function runnerIn(
  core: Runners,
  installed: ReadonlySet<RunnerId>,
  wanted: RunnerId | "auto",
): RunnerId | undefined {
  return candidatesFor(core, wanted).find((id) => installed.has(id));
}

export async function installedRunners({
  runners,
}: Pick<Core, "runners">): Promise<ReadonlySet<RunnerId>> {
  const all = await Promise.all(
    [...runners.values()].map(async (runner) => ((await runner.detect()) ? runner.id : undefined)),
  );
  return new Set(all.filter((id) => id !== undefined));
}

export async function findRunner(
  core: Pick<Core, "runners">,
  id: RunnerId,
): Promise<ResolvedRunner | undefined> {
  const runner = core.runners.get(id);
  const found = await runner?.detect();
  return runner && found ? { runner, command: found.command } : undefined;
}

function candidatesFor({ settings }: Runners, wanted: RunnerId | "auto"): readonly RunnerId[] {
  if (wanted !== "auto") return [wanted];
  // ACP adds nothing where a CLI has a runner of its own, so it runs only where it is named.
  const left = settings.rehearseWithoutCli ? ["acp"] : ["acp", "rehearsal"];
  return RUNNER_IDS.filter((id) => !left.includes(id));
}

function notRunnable(core: Runners, role: Role, wanted: RunnerId | "auto"): Refusal {
  const clis = cliNames(core);
  if (wanted === "auto") {
    return new Refusal(
      "ROLE_UNAVAILABLE",
      `Role ${role.id} cannot be run: no agent CLI was found on PATH, and agent.rehearseWithoutCli is false.`,
      `Install ${clis}, or set agent.runner: rehearsal to rehearse.`,
    );
  }
  if (!core.runners.has(wanted)) {
    return new Refusal(
      "ROLE_UNAVAILABLE",
      `Role ${role.id} is set to run with ${wanted}, which this version cannot run yet.`,
      `Set runner in kuromajutsu.config.yaml to one of: ${["auto", ...core.runners.keys()].toSorted().join(", ")}.`,
    );
  }
  return new Refusal(
    "ROLE_UNAVAILABLE",
    `Role ${role.id} needs the ${wanted} CLI, which was not found on PATH.`,
    `Install ${CLI_NAMES[wanted]} and restart the daemon, or set another runner for the role in kuromajutsu.config.yaml.`,
  );
}

const CLI_NAMES: Readonly<Record<RunnerId, string>> = {
  cursor: "the Cursor CLI (`agent`)",
  claude: "Claude Code (`claude`)",
  codex: "the Codex CLI (`codex`)",
  gemini: "the Gemini CLI (`gemini`)",
  opencode: "OpenCode (`opencode`)",
  acp: "a CLI that speaks the Agent Client Protocol",
  rehearsal: "Kuromajutsu",
};

/** The CLIs this version can run, as the object of "Install …" or 「…をインストール」. */
export function cliNames(
  { runners }: Pick<Core, "runners">,
  locale: Core["settings"]["locale"] = "en",
): string {
  const names = [...runners.keys()]
    .filter((id) => id !== "rehearsal" && id !== "acp")
    .map((id) => CLI_NAMES[id]);
  if (locale === "en") return names.length > 1 ? `one of ${names.join(", ")}` : names.join("");
  const plain = names.map((name) => name.replace(/^the /, ""));
  return plain.length > 1 ? `${plain.join("、")} のいずれか` : plain.join("");
}

/** Stands for the model that the CLI chooses itself. */
export const DEFAULT_MODEL = "default";

/** What the CLI is asked for; null: no flag. */
export function requestedModel(model: string): string | null {
  return model === DEFAULT_MODEL ? null : model;
}

/**
 * A configured model is never replaced. The model of a built-in role is a Cursor name, so another
 * runner uses its own default if it has one.
 */
export function modelFor(role: Role, runner: Pick<Runner, "id" | "defaultModel">): string {
  if (typeof role.model !== "string") {
    return role.model[runner.id] ?? runner.defaultModel ?? DEFAULT_MODEL;
  }
  if (role.modelFrom === "user" || runner.id === "cursor") return role.model;
  return runner.defaultModel ?? role.model;
}
