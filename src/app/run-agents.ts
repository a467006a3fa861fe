import type { Agent } from "../domain/agent.ts";
import type { Group, GroupMode } from "../domain/group.ts";
import { agentId as makeAgentId } from "../domain/ids.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Role } from "../domain/role.ts";
import type { Core, Identity } from "./core.ts";
import { groupNotActive, groupNotFound } from "./create-group.ts";
import { drawId } from "./draw-id.ts";
import type { Runner } from "./ports/runner.ts";
import type { StoredEvent, UnitOfWork } from "./ports/store.ts";
import { modelFor, resolveRunner } from "./resolve-runner.ts";

export type AgentRequest = {
  readonly role: string;
  readonly prompt: string;
  readonly workingDirectory: string | null;
  readonly timeoutMs: number | null;
};

export type RunAgents = {
  readonly groupId: string;
  readonly agents: readonly AgentRequest[];
};

type Planned = {
  readonly request: AgentRequest;
  readonly role: Role;
  readonly runner: Runner;
  readonly workingDirectory: string;
};

/** Queues agents, all or none of them; they start as slots become free. */
export async function runAgents(
  core: Core,
  identity: Identity,
  input: RunAgents,
): Promise<readonly Agent[]> {
  if (input.agents.length === 0) {
    throw new Refusal("EMPTY_AGENTS", "agents is empty.", "Name at least one {role, prompt}.");
  }
  requireActive(await core.store.getGroup(input.groupId), input.groupId, "concurrent");
  const planned: Planned[] = [];
  for (const request of input.agents) planned.push(await plan(core, identity, request));

  const { agents, events } = await core.store.transaction(async (unit) => {
    const group = requireActive(await unit.getGroup(input.groupId), input.groupId, "concurrent");
    await requireRoom(core, unit, planned.length);
    return insertAll(core, unit, identity, group, planned);
  });
  if (identity.kind === "main") {
    for (const agent of agents) core.clientKeys.remember(agent.id, identity.keys);
  }
  core.live.publish(events);
  core.dispatchSoon();
  return agents;
}

function requireActive(group: Group | undefined, id: string, mode: GroupMode): Group {
  if (!group) throw groupNotFound(id);
  if (group.status !== "active") throw groupNotActive(group);
  if (group.mode !== mode) {
    throw new Refusal(
      "MODE_MISMATCH",
      `Group ${group.id} is ${group.mode}, not ${mode}.`,
      `Make a group with create_group(mode: "${mode}").`,
    );
  }
  return group;
}

async function plan(core: Core, identity: Identity, request: AgentRequest): Promise<Planned> {
  const role = core.roles.get(request.role);
  if (!role) {
    throw new Refusal(
      "ROLE_NOT_FOUND",
      `There is no role "${request.role}".`,
      `Use one of: ${[...core.roles.keys()].join(", ")}. list_roles describes them.`,
    );
  }
  const { runner } = await resolveRunner(core, role);
  const base = identity.kind === "main" ? identity.cwd : null;
  const home = base ?? core.settings.homeDirectory;
  const workingDirectory = core.directories.resolve(request.workingDirectory ?? ".", home);
  if (!(await core.directories.exists(workingDirectory))) {
    throw new Refusal(
      "WORKING_DIRECTORY_NOT_FOUND",
      `The working directory ${workingDirectory} does not exist.`,
      "Give the absolute path of an existing directory, or leave workingDirectory out.",
    );
  }
  return { request, role, runner, workingDirectory };
}

async function requireRoom(core: Core, unit: UnitOfWork, wanted: number): Promise<void> {
  const { waiting } = await unit.countByProcess();
  const { maxQueued } = core.settings;
  if (waiting + wanted <= maxQueued) return;
  throw new Refusal(
    "MAX_CONCURRENT_REACHED",
    `The queue holds ${waiting} of ${maxQueued} agents; ${wanted} more do not fit.`,
    "Wait for running agents with wait_agent, ask for fewer, or raise agent.maxQueued.",
  );
}

async function insertAll(
  core: Core,
  unit: UnitOfWork,
  identity: Identity,
  group: Group,
  planned: readonly Planned[],
): Promise<{ agents: Agent[]; events: StoredEvent[] }> {
  const now = core.clock.now();
  const agents: Agent[] = [];
  const events: StoredEvent[] = [];
  for (const item of planned) {
    const draft = draftOf(core, identity, group, item, now);
    const id = await drawId(
      core.random,
      (hex) => makeAgentId(item.role.id, now, hex),
      (candidate) => unit.insertAgent({ ...draft, id: candidate }, item.request.prompt),
    );
    agents.push({ ...draft, id });
    events.push(
      await unit.appendEvent({
        type: "agent:created",
        groupId: group.id,
        agentId: id,
        data: { role: draft.role, model: draft.model, runner: draft.runner },
        at: now,
      }),
    );
  }
  return { agents, events };
}

function draftOf(
  core: Core,
  identity: Identity,
  group: Group,
  { request, role, runner, workingDirectory }: Planned,
  now: number,
): Omit<Agent, "id"> {
  return {
    groupId: group.id,
    role: role.id,
    runner: runner.id,
    model: modelFor(role, runner),
    status: "queued",
    process: "waiting",
    stopReason: null,
    workingDirectory,
    access: role.access,
    timeoutMs: request.timeoutMs ?? core.settings.defaultTimeoutMs,
    priority: 0,
    stageIndex: null,
    clientKeys: keysOnlyTheClientHas(core, identity, runner),
    attempt: 0,
    tokenHash: null,
    pid: null,
    pidStart: null,
    bootId: null,
    exitCode: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    reportedAt: null,
    version: 1,
  };
}

function keysOnlyTheClientHas(core: Core, identity: Identity, runner: Runner): string[] {
  if (identity.kind !== "main") return [];
  return runner.vendorVariables.filter(
    (name) => identity.keys[name] !== undefined && !core.environment.has(name),
  );
}
