import type { AgentId, WorkspaceId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { baseRef, type Isolation, type WorkspaceBase } from "../../domain/workspaces/workspace.ts";
import type { PlannedAgent } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import { visibleGroups } from "../groups/visible-groups.ts";
import type { Oid, Repository } from "../ports/git.ts";

/** Where a planned agent works, as far as it is known before it is queued. */
export type PlannedPlace = {
  readonly isolation: Isolation;
  readonly repository: Repository | null;
  /** The id of its workspace if it gets one. */
  readonly workspaceId: WorkspaceId;
  /** The caller named where the work begins. */
  readonly hasBase: boolean;
  readonly basedOn: WorkspaceBase;
  readonly base: Oid | null;
  readonly start: Oid | null;
};

/** An agent that continues the conversation of an isolated one continues in its workspace. */
export function continuedWorkspace({ resumes, request }: PlannedAgent): WorkspaceId | null {
  return request.workingDirectory === null ? (resumes?.workspaceId ?? null) : null;
}

/** Looks up repositories and bases, because a transaction must not wait for git. */
export async function planPlaces<Planned extends PlannedAgent>(
  core: Core,
  identity: Identity,
  planned: readonly Planned[],
): Promise<readonly Planned[]> {
  const find = remembered((directory: string) => core.git.find(directory));
  const snapshot = remembered(({ repository, workspaceId }: SnapshotOf) =>
    core.git.snapshot(repository.root, baseRef(workspaceId), core.clock.now()),
  );
  const places: Planned[] = [];
  for (const item of planned) {
    if (continuedWorkspace(item)) {
      places.push(item);
      continue;
    }
    const isolation = item.request.isolation ?? item.role.isolation;
    const named = item.request.base ?? null;
    const isAsked = isolation === "worktree" || named !== null;
    const { repository, note } = await repositoryFor(() => find(item.workingDirectory), isAsked);
    const isElsewhere =
      repository === null && !(await core.directories.exists(item.workingDirectory));
    if (isElsewhere && isAsked) throw onlyOnWorkers(item.workingDirectory);
    const mightIsolate = isolation === "auto" && item.role.access === "read-write";
    const notHere = isElsewhere && mightIsolate ? NOT_HERE : null;
    const workspaceId: WorkspaceId = `wsp-${core.random.ulid(core.clock.now())}`;
    requirePossible(item, isolation, named, repository);
    const begin = repository?.head
      ? await beginOf(core, identity, repository, named, () =>
          // Without this, each agent that is not isolated in the end would leave a snapshot behind.
          isAsked ? snapshot({ repository, workspaceId }) : Promise.resolve(null),
        )
      : NOWHERE;
    places.push({
      ...item,
      note: [item.note, note, notHere].filter(Boolean).join(" ") || null,
      place: { isolation, repository, workspaceId, hasBase: named !== null, ...begin },
    });
  }
  return places;
}

/**
 * A repository that git refuses (git is too old, another user owns it) refuses the agent only if a
 * worktree was asked for; otherwise the agent works as without a repository, with a warning.
 */
async function repositoryFor(
  find: () => Promise<Repository | undefined>,
  isAsked: boolean,
): Promise<{ readonly repository: Repository | null; readonly note: string | null }> {
  try {
    return { repository: (await find()) ?? null, note: null };
  } catch (error) {
    if (isAsked || !(error instanceof Refusal)) throw error;
    return { repository: null, note: `It has no worktree of its own: ${error.message}` };
  }
}

const NOT_HERE =
  "It has no worktree of its own: the directory is not on this server. Agents that write there at the same time share it.";

function onlyOnWorkers(directory: string): Refusal {
  return new Refusal("ISOLATION_NOT_POSSIBLE", {
    en: [
      `${directory} is not on this server, and worktrees need the repository there.`,
      "Clone the repository to the same path on the servers, or set isolation to none.",
    ],
    ja: [
      `${directory} はこのサーバーになく、作業ツリーにはサーバーのリポジトリが要ります。`,
      "サーバーの同じパスにリポジトリをクローンするか、isolation を none にしてください。",
    ],
  });
}

type SnapshotOf = { readonly repository: Repository; readonly workspaceId: WorkspaceId };
type Begin = Pick<PlannedPlace, "basedOn" | "base" | "start">;

const NOWHERE: Begin = { basedOn: { kind: "head" }, base: null, start: null };

/**
 * `named`: HEAD, working-tree, the id of an agent, or a ref. `base` null: the snapshot of the working
 * tree is taken when the worktree is made.
 */
async function beginOf(
  core: Core,
  identity: Identity,
  repository: Repository,
  named: string | null,
  snapshot: () => Promise<Oid | null>,
): Promise<Begin> {
  const wanted = named ?? (core.settings.workspace.base === "head" ? "HEAD" : "working-tree");
  if (wanted === "working-tree") {
    const oid = await snapshot();
    return { basedOn: { kind: "working-tree" }, base: oid, start: oid };
  }
  if (wanted === "HEAD") {
    return { basedOn: { kind: "head" }, base: repository.head, start: repository.head };
  }
  const agent = await core.store.getAgent(wanted);
  const groups = await visibleGroups(core, identity);
  if (agent && groups?.has(agent.groupId) !== false)
    return beginOfAgent(core, repository, agent.id, agent.workspaceId);
  const oid = await core.git.resolve(repository.commonDirectory, wanted);
  if (oid === undefined) throw baseNotFound(wanted, repository);
  return { basedOn: { kind: "ref", ref: wanted }, base: oid, start: oid };
}

/** The change of both agents is compared with the base of the first. */
async function beginOfAgent(
  core: Core,
  { commonDirectory }: Repository,
  agentId: AgentId,
  workspaceId: WorkspaceId | null,
): Promise<Begin> {
  const workspace = workspaceId === null ? undefined : await core.store.getWorkspace(workspaceId);
  if (!workspace?.head || workspace.repository !== commonDirectory) {
    throw new Refusal("BASE_NOT_FOUND", {
      en: [
        `Agent ${agentId} has no captured change in this repository.`,
        "Name an agent that worked in a worktree of it and has ended, a branch, HEAD or working-tree.",
      ],
      ja: [
        `エージェント ${agentId} には、このリポジトリで記録された変更がありません。`,
        "このリポジトリの作業ツリーで作業を終えたエージェント、ブランチ、HEAD、working-tree のどれかを指定してください。",
      ],
    });
  }
  return {
    basedOn: { kind: "agent", agentId },
    base: workspace.base,
    start: workspace.head,
  };
}

function requirePossible(
  { workingDirectory }: PlannedAgent,
  isolation: Isolation,
  base: string | null,
  repository: Repository | null,
): void {
  if (isolation === "none" && base !== null) {
    throw new Refusal("ISOLATION_NOT_POSSIBLE", {
      en: [
        "base needs a worktree, but isolation is none.",
        "Leave out base, or set isolation to worktree.",
      ],
      ja: [
        "base には作業ツリーが要りますが、isolation が none です。",
        "base を省くか、isolation を worktree にしてください。",
      ],
    });
  }
  if (isolation !== "worktree" && base === null) return;
  if (repository === null) {
    throw new Refusal("ISOLATION_NOT_POSSIBLE", {
      en: [
        `${workingDirectory} is not inside a git repository, so there can be no worktree.`,
        "Give a workingDirectory inside a repository, run `git init` there, or set isolation to none.",
      ],
      ja: [
        `${workingDirectory} は git リポジトリの中ではないので、作業ツリーを作れません。`,
        "リポジトリの中の workingDirectory を指定するか、そこで `git init` を実行するか、isolation を none にしてください。",
      ],
    });
  }
  if (repository.head === null) {
    throw new Refusal("ISOLATION_NOT_POSSIBLE", {
      en: [
        `The repository of ${workingDirectory} has no commit yet, so there can be no worktree.`,
        "Make a first commit, or set isolation to none.",
      ],
      ja: [
        `${workingDirectory} のリポジトリにはまだコミットがないので、作業ツリーを作れません。`,
        "最初のコミットを作るか、isolation を none にしてください。",
      ],
    });
  }
}

function baseNotFound(ref: string, { root }: Repository): Refusal {
  return new Refusal("BASE_NOT_FOUND", {
    en: [
      `${ref} is no commit, branch or tag of ${root}, and no agent.`,
      "Give HEAD, working-tree, a branch, a tag, a commit, or the id of an agent that has ended.",
    ],
    ja: [
      `${ref} は ${root} のコミット、ブランチ、タグのどれでもなく、エージェントでもありません。`,
      "HEAD、working-tree、ブランチ、タグ、コミット、終わったエージェントの id のどれかを指定してください。",
    ],
  });
}

/** Runs the work once per key: agents of one request share repositories and snapshots. */
function remembered<Input extends string | SnapshotOf, Output>(
  work: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  const known = new Map<string, Promise<Output>>();
  return (input) => {
    const key = typeof input === "string" ? input : input.repository.root;
    const found = known.get(key) ?? work(input);
    known.set(key, found);
    return found;
  };
}
