import { RUNNER_IDS, type RunnerChoice, type RunnerId } from "../../domain/agents/runner.ts";
import { installCommand } from "../../domain/health/cli-facts.ts";
import { runnerStateOf } from "../../domain/health/runner-problem.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import type { Runner } from "../ports/runner.ts";
import { runnersOnWorkers } from "../workers/connected-workers.ts";
import { knownServers } from "../workers/known-servers.ts";
import { whyPassedOver } from "./runner-texts.ts";

export type FoundRunner = { readonly runner: Runner; readonly command: string };

/** Installed on this host or on a worker. */
type UsableRunner = Pick<FoundRunner, "runner">;

export type ResolvedRunner = UsableRunner & {
  /** Why earlier runners of the role's choice are not used; null: none was passed over. */
  readonly passedOver: string | null;
};

type Runners = Pick<Core, "runners" | "settings" | "health" | "clock" | "workers" | "servers">;

/**
 * The first runner of the role's choice that is installed, signed in and not at a limit. Without one,
 * the first that is only at a limit (its agents wait), else the first that is installed.
 */
export async function resolveRunner(core: Runners, role: Role): Promise<ResolvedRunner> {
  const wanted = wantedRunner(core, role);
  const candidates = candidatesFor(core, wanted);
  const installed: UsableRunner[] = [];
  const elsewhere = await runnersOnWorkers(core);
  // What they list says which models can be asked for.
  await knownServers(core);
  for (const id of candidates) {
    const runner = core.runners.get(id);
    const found = await findRunner(core, id);
    if (found) installed.push(found);
    else if (runner && elsewhere.has(id)) installed.push({ runner });
  }
  const chosen = chooseRunner(core, role, installed);
  if (!chosen) throw notRunnable(core, role, wanted);
  const { id } = chosen.runner;
  // A CLI that `auto` does not find is no news.
  const isInstalled = (each: RunnerId): boolean =>
    installed.some(({ runner }) => runner.id === each);
  const passedOver = candidates
    .slice(0, candidates.indexOf(id))
    .filter((each) => wanted !== "auto" || isInstalled(each));
  return { ...chosen, passedOver: whyPassedOver(core, passedOver, isInstalled) };
}

function chooseRunner(
  core: Runners,
  role: Role,
  installed: readonly UsableRunner[],
): UsableRunner | undefined {
  // A rehearsal does no work: it replaces a CLI that is not installed, never one that fails.
  const clis = installed.filter(({ runner }) => runner.id !== "rehearsal");
  const choices = clis.length > 0 ? clis : installed;
  const [first] = choices;
  const isUsable = (found: UsableRunner): boolean =>
    stateOf(core, found) === "ready" && (found === first || mayHaveModel(core, role, found));
  return (
    choices.find(isUsable) ??
    choices.find((found) => stateOf(core, found) !== "signed-out") ??
    first
  );
}

function stateOf(core: Runners, { runner }: UsableRunner) {
  const state = runnerStateOf(core.health.problem(runner.id), core.clock.now());
  // The next agent of a runner on trial shows whether it works.
  return state === "trial" ? "ready" : state;
}

/** A fallback that is known not to have the role's model would only be refused. */
function mayHaveModel(core: Runners, role: Role, { runner }: UsableRunner): boolean {
  const known = core.health.offered(runner.id)?.models;
  const model = modelFor(core, role, runner);
  const isDefault = model === DEFAULT_MODEL || model === runner.defaultModel;
  const isAnyTaken = known === undefined || runner.takesOtherModels === true;
  return isDefault || isAnyTaken || known.includes(model);
}

export function wantedRunner({ settings }: Pick<Core, "settings">, role: Role): RunnerChoice {
  return role.runner === "auto" ? settings.runner : role.runner;
}

/** Like resolveRunner, for many roles; undefined: the role cannot run. */
export function runnerIn(
  core: Runners,
  installed: ReadonlySet<RunnerId>,
  wanted: RunnerChoice,
): RunnerId | undefined {
  return candidatesFor(core, wanted).find((id) => installed.has(id));
}

export async function installedRunners(
  core: Pick<Core, "runners" | "workers">,
): Promise<ReadonlySet<RunnerId>> {
  const all = await Promise.all(
    [...core.runners.values()].map(async (runner) =>
      (await runner.detect()) ? runner.id : undefined,
    ),
  );
  return new Set([...all.filter((id) => id !== undefined), ...(await runnersOnWorkers(core))]);
}

export async function findRunner(
  core: Pick<Core, "runners">,
  id: RunnerId,
): Promise<FoundRunner | undefined> {
  const runner = core.runners.get(id);
  const found = await runner?.detect();
  return runner && found ? { runner, command: found.command } : undefined;
}

/** Every runner that an agent may get, best first. */
export function candidatesFor(
  { settings }: Pick<Core, "settings">,
  wanted: RunnerChoice,
): readonly RunnerId[] {
  if (wanted === "auto") {
    // ACP adds nothing where a CLI has a runner of its own, so it runs only where it is named.
    const left = settings.rehearseWithoutCli ? ["acp"] : ["acp", "rehearsal"];
    return RUNNER_IDS.filter((id) => !left.includes(id));
  }
  return typeof wanted === "string" ? [wanted] : wanted;
}

function notRunnable(core: Runners, role: Role, wanted: RunnerChoice): Refusal {
  const clis = cliNames(core);
  if (wanted === "auto") {
    return new Refusal("ROLE_UNAVAILABLE", {
      en: [
        `Role ${role.id} cannot be run: no agent CLI was found on PATH, and agent.rehearseWithoutCli is false.`,
        `Install ${clis}, or set agent.runner: rehearsal to rehearse.`,
      ],
      ja: [
        `職種 ${role.id} を動かせません。PATH にエージェント CLI がなく、agent.rehearseWithoutCli が false です。`,
        `${cliNames(core, "ja")}をインストールするか、agent.runner: rehearsal でリハーサルにしてください。`,
      ],
    });
  }
  const ids = candidatesFor(core, wanted);
  const known = ids.filter((id) => core.runners.has(id));
  if (known.length === 0) {
    return new Refusal("ROLE_UNAVAILABLE", {
      en: [
        `Role ${role.id} is set to run with ${ids.join(", ")}, which this version cannot run yet.`,
        `Set runner in kuromajutsu.config.yaml to one of: ${["auto", ...core.runners.keys()].toSorted().join(", ")}.`,
      ],
      ja: [
        `職種 ${role.id} のランナー ${ids.join(", ")} は、この版ではまだ動かせません。`,
        `kuromajutsu.config.yaml の runner に、次のどれかを指定してください: ${["auto", ...core.runners.keys()].toSorted().join(", ")}。`,
      ],
    });
  }
  const [only, ...others] = known;
  return new Refusal("ROLE_UNAVAILABLE", {
    en: [
      others.length > 0
        ? `Role ${role.id} needs one of the CLIs ${known.join(", ")}; none of them was found on PATH.`
        : `Role ${role.id} needs the ${only} CLI, which was not found on PATH.`,
      `Install ${known.map((id) => CLI_NAMES[id] + installCommand(id)).join(" or ")}, and restart the daemon if PATH has changed. Or set another runner for the role in kuromajutsu.config.yaml.`,
    ],
    ja: [
      others.length > 0
        ? `職種 ${role.id} には CLI（${known.join(", ")}）のどれかが必要ですが、PATH に見つかりません。`
        : `職種 ${role.id} には ${only} の CLI が必要ですが、PATH に見つかりません。`,
      `インストールして（${known.map((id) => CLI_NAMES[id].replace(/^(?:the|a) /, "") + installCommand(id, "ja")).join("、")}）、PATH を変えたならデーモンを再起動してください。または kuromajutsu.config.yaml で職種に別のランナーを指定してください。`,
    ],
  });
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

/** The CLIs that this version can run. */
export function clisOf({ runners }: Pick<Core, "runners">): readonly RunnerId[] {
  return [...runners.keys()].filter((id) => id !== "rehearsal" && id !== "acp");
}

/** Without the command and the article: "Claude Code". */
export function cliTitle(id: RunnerId): string {
  return id === "acp" ? "ACP" : CLI_NAMES[id].replace(/^the /, "").replace(/ \(.*\)$/, "");
}

/** The CLIs this version can run, as the object of "Install …" or 「…をインストール」. */
export function cliNames(
  { runners }: Pick<Core, "runners">,
  locale: Core["settings"]["locale"] = "en",
): string {
  const names = clisOf({ runners }).map((id) => CLI_NAMES[id]);
  if (locale === "en")
    return names.length > 1
      ? `one of ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
      : names.join("");
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
 * A configured model is never replaced. One name in a role with a fallback list belongs to the first
 * runner of the list, and the model of a built-in role is a Cursor name: others use their default.
 */
export function modelFor(
  core: Pick<Core, "settings">,
  role: Role,
  runner: Pick<Runner, "id" | "defaultModel">,
): string {
  const byDefault = runner.defaultModel ?? DEFAULT_MODEL;
  if (typeof role.model !== "string") return role.model[runner.id] ?? byDefault;
  if (role.modelFrom === "default") {
    return runner.id === "cursor" ? role.model : (runner.defaultModel ?? role.model);
  }
  const wanted = wantedRunner(core, role);
  const isFallback = typeof wanted !== "string" && wanted[0] !== runner.id;
  return isFallback ? byDefault : role.model;
}
