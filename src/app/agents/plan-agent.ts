import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Isolation } from "../../domain/workspaces/workspace.ts";
import type { Core, Identity } from "../core.ts";
import { requireModelsKnown } from "../health/known-models.ts";
import { untrustedHint } from "../people/untrusted.ts";
import type { Runner } from "../ports/runner.ts";
import { resolveRunner } from "../roles/resolve-runner.ts";
import { assertAvailable } from "../roles/role-availability.ts";
import { fallbackNote } from "../roles/runner-texts.ts";
import { mayBeOnAHost, noHostHas } from "../workers/find-directory.ts";
import type { PlannedPlace } from "../workspaces/plan-places.ts";
import { requireLabels } from "./require-labels.ts";
import { requireResumable } from "./require-resumable.ts";

/** The role that leads others (run_magentic). */
export const ORCHESTRATOR = "orchestrator";

export type AgentRequest = {
  readonly role: string;
  readonly prompt: string;
  readonly workingDirectory: string | null;
  readonly timeoutMs: number | null;
  /** The agent whose conversation the new agent continues. */
  readonly resumeAgentId?: string | null;
  /** Whether it works in a worktree of its own; null: as its role says. */
  readonly isolation?: Isolation | null;
  /** Where its worktree begins: HEAD, working-tree, a ref or an agent; null: as configured. */
  readonly base?: string | null;
  /** What the host that runs it must have, besides the labels of its role. */
  readonly labels?: readonly string[];
};

/** A request that can be carried out: everything it names exists. */
export type PlannedAgent = {
  readonly request: AgentRequest;
  readonly role: Role;
  readonly runner: Runner;
  /** Why it is not the first runner of the role; null: it is. */
  readonly note: string | null;
  readonly workingDirectory: string;
  /** An agent of the same runner, whose conversation the new agent continues. */
  readonly resumes?: Agent | null;
  /** Where it works; absent for agents that draft and execute tasks. */
  readonly place?: PlannedPlace;
};

export async function planAgent(
  core: Core,
  identity: Identity,
  request: AgentRequest,
  options: { readonly asOrchestrator?: boolean } = {},
): Promise<PlannedAgent> {
  const role = core.roles.get(request.role);
  if (!role) {
    throw new Refusal("ROLE_NOT_FOUND", {
      en: [
        `There is no role "${request.role}".`,
        `Use one of: ${[...core.roles.keys()].join(", ")}. list_roles describes them.${untrustedHint(core)}`,
      ],
      ja: [
        `職種「${request.role}」はありません。`,
        `使える職種: ${[...core.roles.keys()].join(", ")}。説明は list_roles で読めます。${untrustedHint(core, "ja")}`,
      ],
    });
  }
  if (role.id === ORCHESTRATOR && !options.asOrchestrator) throw useMagentic();
  requireLabels(core, role, request);
  const resumes = request.resumeAgentId
    ? await requireResumable(core, identity, request.resumeAgentId, role)
    : null;
  // Only the runner that made a conversation can continue it.
  const { runner, passedOver } = await resolveRunner(
    core,
    resumes ? { ...role, runner: resumes.runner } : role,
  );
  await requireModelsKnown(core, role, runner);
  assertAvailable(core, role, runner, identity);
  // CLIs look for their conversations in the directory they were held in.
  const base = resumes?.workingDirectory ?? (await directoryOf(core, identity));
  const workingDirectory = core.directories.resolve(request.workingDirectory ?? ".", base);
  // The worktree of an isolated agent is made again, if it is gone.
  const isMadeAgain = resumes?.workspaceId != null && request.workingDirectory === null;
  if (!isMadeAgain && !(await mayBeOnAHost(core, workingDirectory))) {
    throw (await noHostHas(core, workingDirectory)) ?? notHere(workingDirectory);
  }
  const note = fallbackNote(passedOver, runner.id);
  return { request, role, runner, note, workingDirectory, resumes };
}

function notHere(workingDirectory: string): Refusal {
  return new Refusal("WORKING_DIRECTORY_NOT_FOUND", {
    en: [
      `The working directory ${workingDirectory} does not exist.`,
      "Give the absolute path of an existing directory, or leave workingDirectory out.",
    ],
    ja: [
      `作業ディレクトリ ${workingDirectory} がありません。`,
      "存在するディレクトリの絶対パスを指定するか、workingDirectory を省略してください。",
    ],
  });
}

/** An orchestrator needs a magentic group: without one it has no agents to lead. */
function useMagentic(): Refusal {
  return new Refusal("ROLE_UNAVAILABLE", {
    en: [
      "An orchestrator is started by run_magentic, with a task and its limits.",
      "Call run_magentic, or use another role.",
    ],
    ja: [
      "オーケストレーターは、タスクと上限を渡して run_magentic で起動します。",
      "run_magentic を呼ぶか、別の職種を使ってください。",
    ],
  });
}

/** The working directory of the calling agent or client, or else the configured one. */
async function directoryOf(core: Core, identity: Identity): Promise<string> {
  if (identity.kind !== "agent") return identity.cwd ?? core.settings.homeDirectory;
  const caller = await core.store.getAgent(identity.agentId);
  return caller?.workingDirectory ?? core.settings.homeDirectory;
}
