import { setTimeout as sleep } from "node:timers/promises";
import { fieldsOf, textOf, type Fields } from "../../base/narrow.ts";
import type { ToolAnswer } from "../answer.ts";
import { callTool } from "../notifications.ts";
import { oneLine } from "../read-prompt.ts";
import type { Run } from "../run.ts";
import type { SubAgentResult, AgentRequest } from "./iteration.ts";

/** A call that was refused or whose answer cannot be used, so the orchestrator cannot continue. */
export class CallFailed extends Error {
  readonly code: string | undefined;

  constructor(
    { texts }: Pick<Run, "texts">,
    name: string,
    { fields, text }: Pick<ToolAnswer, "fields" | "text">,
  ) {
    const code = textOf(fields.code);
    const reason = oneLine(textOf(fields.message) ?? text, REASON_CHARS) || texts.emptyAnswer;
    super(`${name}: ${code === undefined ? "" : `${code} `}${reason}`);
    this.code = code;
  }
}

/** Short, so that a notification does not have to wait for the slowest agent. */
const WAIT_CHUNK_MS = 5_000;
/** Prevents a busy loop when chunks are answered at once. */
const WAIT_PAUSE_MS = 200;
const TRIES = 3;
const REASON_CHARS = 300;
const SUMMARY_CHARS = 200;

/** Returns the groupId. The server knows the group we work for. */
export async function createGroup(run: Run, description: string): Promise<string> {
  // A retry after a broken connection may create a second group, which stays empty.
  const answer = await repeat(run, "create_group", { description });
  const groupId = textOf(answer.fields.groupId);
  if (groupId === undefined) throw new CallFailed(run, "create_group", answer);
  return groupId;
}

export async function availableRoles(run: Run): Promise<readonly string[]> {
  const { fields } = await repeat(run, "list_roles", {});
  return entriesOf(fields.roles)
    .filter(({ available }) => available !== false)
    .map(({ id }) => textOf(id) ?? "")
    .filter((id) => id !== "");
}

/** Returns the agentIds. Never starts the same agents twice. */
export async function startAgents(
  run: Run,
  groupId: string,
  agents: readonly AgentRequest[],
  known: ReadonlySet<string>,
): Promise<readonly string[]> {
  for (let tries = 1; ; tries++) {
    const answer = await callTool(run, "run_agents", { groupId, agents });
    const started = idsOf(answer.fields.agents);
    if (!answer.isError && started.length > 0) return started;
    if (answer.isError && !answer.isOutcomeUnknown) throw new CallFailed(run, "run_agents", answer);
    // Either all or none of the agents were started; the group shows which.
    const inGroup = await repeat(run, "list_agents", { groupId });
    const found = idsOf(inGroup.fields.agents).filter((id) => !known.has(id));
    if (found.length > 0) return found;
    if (tries === TRIES || !answer.isOutcomeUnknown)
      throw new CallFailed(run, "run_agents", answer);
  }
}

export async function waitForAll(run: Run, agentIds: readonly string[]): Promise<void> {
  let cursor: string | undefined;
  let unreadable = 0;
  for (;;) {
    const askedAt = Date.now();
    const answer = await repeat(run, "wait_agent", {
      agentIds,
      maxBlock_ms: WAIT_CHUNK_MS,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const { waitMore, completed } = answer.fields;
    if (waitMore !== true && Array.isArray(completed)) return;
    unreadable = waitMore === true ? 0 : unreadable + 1;
    if (unreadable === TRIES) throw new CallFailed(run, "wait_agent", answer);
    cursor = textOf(answer.fields.cursor) ?? cursor;
    if (Date.now() - askedAt < WAIT_PAUSE_MS) await sleep(WAIT_PAUSE_MS);
  }
}

/** A result that cannot be read counts as a bad result and does not end the run. */
export async function readResult(run: Run, agentId: string): Promise<SubAgentResult> {
  const { fields } = await callTool(run, "get_agent_status", { agentId });
  const result = fieldsOf(fields.result);
  return {
    agentId,
    status: textOf(result.status) ?? run.texts.unknownStatus,
    summary: oneLine(textOf(result.summary) ?? run.texts.unreadableResult, SUMMARY_CHARS),
  };
}

/** For calls that may be repeated. */
export async function repeat(
  run: Run,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await callTool(run, name, args);
    if (!answer.isError) return answer;
    if (!answer.isOutcomeUnknown || tries === TRIES) throw new CallFailed(run, name, answer);
  }
}

function idsOf(value: unknown): readonly string[] {
  return entriesOf(value)
    .map(({ agentId }) => textOf(agentId) ?? "")
    .filter((id) => id !== "");
}

function entriesOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
