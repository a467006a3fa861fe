import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { decideApproval } from "../../src/app/approvals/decide-approval.ts";
import type { Settings } from "../../src/app/core.ts";
import { createMergeQueue, type MergeQueue } from "../../src/app/merges/merge-queue.ts";
import { requestMerge, type RequestMerge } from "../../src/app/merges/request-merge.ts";
import type { Git } from "../../src/app/ports/git.ts";
import type { Store } from "../../src/app/ports/store.ts";
import type { CommandRun, WorkspaceTools } from "../../src/app/ports/workspace-tools.ts";
import type { AgentId, WorkspaceId } from "../../src/domain/ids.ts";
import type { Merge } from "../../src/domain/merges/merge.ts";
import type { Workspace } from "../../src/domain/workspaces/workspace.ts";
import { aPerson } from "./approvals.ts";
import { aChangeVersion, aGroup, anAgent, aWorkspace, NOON } from "./builders.ts";
import { aCore, type ACore, type TestCore } from "./core.ts";
import { aRepository, git, type Files, type TestRepository } from "./repository.ts";

export const OPERATOR = aPerson("aoi");

export type MergeCore = {
  readonly core: TestCore;
  readonly repository: TestRepository;
  readonly queue: MergeQueue;
  /** The commits on which `workspace.check` ran. */
  readonly checked: string[];
  /** The commands that ran, with their directories. */
  readonly commands: CommandRun[];
  /** The change of an agent of its own, captured as version 1. null: the file is deleted. */
  change(name: string, files: Changed, over?: Partial<Workspace>): Promise<Workspace>;
  /** A merge that people have approved, which waits in the queue. */
  approved(workspace: Workspace, over?: Partial<RequestMerge>): Promise<Merge>;
  /** Lets the queue work until it has nothing left to do. */
  settle(): Promise<void>;
  merge(id: string): Promise<Merge>;
  tip(branch?: string): string;
};

export type Changed = Readonly<Record<string, Files[string] | null>>;

export type AMergeCore = ACore & {
  readonly repository?: TestRepository;
  readonly workspace?: Partial<Settings["workspace"]>;
  readonly git?: Partial<Git>;
  readonly tools?: Partial<WorkspaceTools>;
  /** The queue of a daemon that is not up yet. */
  readonly closed?: boolean;
};

/** A core with a real repository, in which `main` is checked out nowhere, and a real merge queue. */
export async function aMergeCore(over: AMergeCore = {}): Promise<MergeCore> {
  const repository = over.repository ?? aFreeRepository();
  const plain = await aCore({ ...over, isMergeQueueClosed: true });
  const checked: string[] = [];
  const commands: CommandRun[] = [];
  const queue = createMergeQueue(() => core);
  const core: TestCore = {
    ...plain,
    settings: {
      ...plain.settings,
      workspace: {
        ...plain.settings.workspace,
        root: join(repository.dir, "data", "work"),
        check: null,
        setup: null,
        mergeMode: "squash",
        mergeTarget: null,
        ...over.workspace,
      },
    },
    git: { ...repository.git, ...over.git },
    workspaceTools: {
      ...plain.workspaceTools,
      ...over.tools,
      async run(command) {
        commands.push(command);
        checked.push(git(command.directory, "rev-parse", "HEAD"));
        const tools = { ...plain.workspaceTools, ...over.tools };
        return tools.run(command);
      },
    },
    mergeSoon: () => queue.mergeSoon(),
  };
  if (!over.closed) queue.open();
  onTestFinished(() => queue.close());
  return {
    core,
    repository,
    queue,
    checked,
    commands,
    change: (name, files, more) => aChange(core, repository, name, files, more),
    approved: (workspace, more) => anApprovedMerge(core, workspace, more),
    async settle() {
      queue.mergeSoon();
      await queue.idle();
    },
    async merge(id) {
      const found = await core.store.getMerge(id);
      if (!found) throw new Error(`There is no merge ${id}.`);
      return found;
    },
    tip: (branch = "main") => git(repository.root, "rev-parse", `refs/heads/${branch}`),
  };
}

/** A person has no branch checked out, so that `main` can be moved. */
export function aFreeRepository(files?: Files): TestRepository {
  const repository = aRepository(files);
  git(repository.root, "checkout", "-q", "--detach");
  return repository;
}

async function aChange(
  { store }: { readonly store: Store },
  repository: TestRepository,
  name: string,
  files: Changed,
  over: Partial<Workspace> = {},
): Promise<Workspace> {
  const id: WorkspaceId = `wsp-${name}`;
  const agentId: AgentId = `impl-code-${name}`;
  const base = over.base ?? git(repository.root, "rev-parse", "refs/heads/main");
  const captured = commitOn(repository, `refs/kuromajutsu/change/${id}/1`, base, files);
  const numbers = { files: Object.keys(files).length, added: 1, removed: 0 };
  const workspace = aWorkspace({
    id,
    agentId,
    repository: repository.common,
    source: repository.root,
    path: repository.worktree(id).path,
    branch: repository.worktree(id).branch,
    base,
    head: captured.commit,
    ...numbers,
    ...over,
  });
  await store.transaction(async (unit) => {
    const group = aGroup();
    if (!(await unit.getGroup(group.id))) await unit.insertGroup(group);
    const agent = { status: "completed", process: "ended", endedAt: NOON } as const;
    await unit.insertAgent(anAgent({ id: agentId, workspaceId: id, ...agent }), "…");
    await unit.insertWorkspace(workspace);
    await unit.insertVersion(
      aChangeVersion({
        workspaceId: id,
        agentId,
        base,
        ...numbers,
        ...captured,
        paths: Object.keys(files),
      }),
    );
  });
  return workspace;
}

/** A commit without a worktree: tests need many. */
function commitOn(
  { root }: Pick<TestRepository, "root">,
  ref: string,
  base: string,
  files: Changed,
): { readonly commit: string; readonly tree: string } {
  const changed = Object.entries(files).map(([path, content]) => {
    if (content === null) return `D ${JSON.stringify(path)}\n`;
    const bytes = Buffer.from(content);
    return `M 100644 inline ${JSON.stringify(path)}\ndata ${bytes.length}\n${bytes.toString()}\n`;
  });
  const who = "committer impl-code <agent@kuromajutsu.invalid> 1794733200 +0000";
  const input = `commit ${ref}\n${who}\ndata 6\nchange\nfrom ${base}\n${changed.join("")}\n`;
  execFileSync("git", ["fast-import", "--quiet", "--force"], { cwd: root, input });
  return {
    commit: git(root, "rev-parse", ref),
    tree: git(root, "rev-parse", `${ref}^{tree}`),
  };
}

async function anApprovedMerge(
  core: TestCore,
  workspace: Workspace,
  over: Partial<RequestMerge> = {},
): Promise<Merge> {
  const input = { id: workspace.id, version: workspace.version, ...over };
  const merge = await requestMerge(core, OPERATOR, input);
  core.advance(1);
  await decideApproval(core, OPERATOR, {
    approvalId: merge.approvalId ?? "",
    version: 1,
    decision: "approve",
  });
  return (await core.store.getMerge(merge.id)) ?? merge;
}
