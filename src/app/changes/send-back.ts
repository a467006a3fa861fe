import type { Agent } from "../../domain/agents/agent.ts";
import type { ChangeComment } from "../../domain/changes/change.ts";
import { sendBackPrompt } from "../../domain/changes/send-back-prompt.ts";
import type { Group } from "../../domain/groups/group.ts";
import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { conversationOf } from "../agents/conversation-of.ts";
import { AT_ONCE, insertAgents } from "../agents/insert-agents.ts";
import { planAgent, type PlannedAgent } from "../agents/plan-agent.ts";
import { requireAgent } from "../agents/require-agent.ts";
import type { Core, Identity } from "../core.ts";
import { insertGroup } from "../groups/create-group.ts";
import { localeOf } from "../locale-of.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { changeElsewhere, hasCommit, isOfAnother, ownerOf } from "../workspaces/place-of-change.ts";
import {
  requireIdle,
  requireOpenChange,
  requireWorkspace,
} from "../workspaces/require-workspace.ts";
import { requireNewest } from "./require-newest.ts";

export type SendBack = {
  readonly id: string;
  /** The version that the person saw. */
  readonly version: number;
  readonly message: string | null;
};

export type SentBack = {
  readonly agentId: AgentId;
  readonly continuesConversation: boolean;
  readonly comments: number;
};

/**
 * Gives the comments of people to an agent that works on in the same worktree. It continues the
 * conversation if its CLI can; otherwise the prompt says what happened so far.
 */
export async function sendBack(
  core: Core,
  identity: Identity,
  { id, version, message }: SendBack,
): Promise<SentBack> {
  const person = requirePerson(identity, "operator");
  const workspace = await requireWorkspace(core.store, id);
  requireOpenChange(workspace);
  requireNewest(workspace, version);
  await requireIdle(core.store, workspace);
  await requireServerFor(core, workspace);
  const drafts = await draftsOf(core.store, workspace);
  if (drafts.length === 0 && !message) throw nothingToSend();
  const before = await requireAgent(core.store, workspace.agentId);
  const planned = await planNext(core, identity, { workspace, before, drafts, message });
  return core.store.transaction(async (unit) => {
    // The prompt was made outside of this transaction: people may have decided meanwhile.
    const now = await requireWorkspace(unit, workspace.id);
    requireOpenChange(now);
    requireNewest(now, version);
    const group = await groupFor(core, unit, workspace);
    const placed = { ...planned, ...AT_ONCE, taskId: before.taskId };
    const [next] = await insertAgents(core, unit, identity, group, [placed]);
    if (!next) throw new Error("The agent was not inserted.");
    await markSent(core, unit, drafts, next.id);
    const comments = drafts.length;
    await recordAudit(core, unit, {
      actor: person.id,
      action: "change.sent_back",
      subject: workspace.agentId,
      data: { workspaceId: workspace.id, version, comments, agentId: next.id },
    });
    await unit.emit({
      type: "change:sent_back",
      groupId: workspace.groupId,
      agentId: workspace.agentId,
      taskId: workspace.taskId,
      data: { workspaceId: workspace.id, comments, by: person.id, nextAgentId: next.id },
      at: core.clock.now(),
    });
    return { agentId: next.id, continuesConversation: next.resumeSession !== null, comments };
  });
}

async function draftsOf(
  queries: Pick<UnitOfWork, "listComments">,
  { id }: Workspace,
): Promise<readonly ChangeComment[]> {
  return (await queries.listComments(id)).filter(({ status }) => status === "draft");
}

type NextRound = {
  readonly workspace: Workspace;
  readonly before: Agent;
  readonly drafts: readonly ChangeComment[];
  readonly message: string | null;
};

async function planNext(
  core: Core,
  identity: Identity,
  { workspace, before, drafts, message }: NextRound,
): Promise<PlannedAgent> {
  const { source, branch } = workspace;
  const { role, timeoutMs } = before;
  const request = { role, prompt: "", workingDirectory: source, timeoutMs };
  const planned = await planAgent(core, identity, request);
  const conversation = await conversationOf(core.store, before, planned.runner.id);
  const earlier = conversation ? null : await earlierOf(core, workspace, before);
  const prompt = sendBackPrompt(
    { comments: drafts, message, branch, earlier },
    localeOf(core, identity),
  );
  // Without a conversation the new agent still takes over the worktree.
  return { ...planned, request: { ...request, prompt, workingDirectory: null }, resumes: before };
}

async function earlierOf(core: Core, workspace: Workspace, before: Agent) {
  const result = await core.store.getResult(before.id);
  const newest = await core.store.getVersion(workspace.id, workspace.version);
  return {
    prompt: await core.store.getPrompt(before.id),
    summary: result?.summary ?? "",
    response: result?.response ?? "",
    paths: newest?.paths ?? [],
  };
}

/** A finished plan or a deleted group takes no more agents. */
async function groupFor(core: Core, unit: UnitOfWork, workspace: Workspace): Promise<Group> {
  const group = await unit.getGroup(workspace.groupId);
  if (group?.status === "active" && group.mode === "concurrent") return group;
  return insertGroup(core, unit, {
    description: group?.description ?? workspace.branch,
    mode: "concurrent",
    parentGroupId: null,
    magentic: null,
  });
}

async function markSent(
  core: Core,
  unit: UnitOfWork,
  drafts: readonly ChangeComment[],
  sentTo: AgentId,
): Promise<void> {
  for (const draft of drafts) {
    await unit.updateComment({ ...draft, status: "sent", sentAt: core.clock.now(), sentTo }, draft);
  }
}

function nothingToSend(): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: ["There is no comment to send.", "Comment on a line, or give `message`."],
    ja: ["送るコメントがありません。", "行にコメントするか、`message` を書いてください。"],
  });
}

/** The agent goes on where the commits are; without that server it would wait for ever. */
async function requireServerFor(core: Core, workspace: Workspace): Promise<void> {
  if (!isOfAnother(core, workspace)) return;
  if (await hasCommit(core, workspace.repository, workspace.head)) return;
  const owner = await ownerOf(core, workspace);
  if (!owner || owner.hasLeft) throw changeElsewhere(workspace, owner);
}
