import type { Core } from "../../../app/core.ts";
import { descendantsOf } from "../../../app/groups/descendants-of.ts";
import type { AgentView } from "../../../app/ports/store.ts";
import type { Config } from "../../../contract/config/schema.ts";
import { isSettled } from "../../../domain/agents/agent.ts";
import type { Group } from "../../../domain/groups/group.ts";
import type { GroupId } from "../../../domain/ids.ts";
import { projectGroup } from "./project-group.ts";
import { putDesired } from "./put-desired.ts";

/** More agents than this do not fit into a message. */
const MAX_AGENTS = 300;
const PAGE = 100;

export type Boards = {
  readonly core: Core;
  readonly boards: () => Config["slack"]["boards"];
  /** The workspace of boards that name none. Rejects with SlackCallFailed if it is not known yet. */
  readonly homeTeam: () => Promise<string | undefined>;
  readonly dashboardUrl: () => string | undefined;
};

/** Stores the messages about the group of a main agent. True: there is something to send. */
export async function storeBoards(
  options: Boards,
  group: Group,
  isRevival: boolean,
): Promise<boolean> {
  const { core } = options;
  const boards = options.boards().filter(({ groups }) => groups === "all" || groups === group.mode);
  if (boards.length === 0) return false;
  const agents = await agentsOf(core, group);
  const summaries = await summariesOf(core, agents);
  const isHomeNeeded = boards.some(({ team }) => team === undefined);
  const home = isHomeNeeded ? await options.homeTeam() : undefined;
  const dashboardUrl = options.dashboardUrl();
  const { locale } = core.settings;
  return core.store.transaction(async (unit) => {
    let isChanged = false;
    for (const { channel, team = home } of boards) {
      const shown = { group, agents, summaries, locale, dashboardUrl, channel };
      const message = projectGroup(shown);
      if (!message || team === undefined) continue;
      const place = { team, channel, threadTs: null, taskId: null, groupId: group.id };
      const isPut = await putDesired(core, unit, { place, message, isRevival });
      isChanged ||= isPut;
    }
    return isChanged;
  });
}

/** The group of a main agent that this group belongs to; undefined if it belongs to a task. */
export async function mainGroupOf(
  { store }: Pick<Core, "store">,
  groupId: GroupId,
): Promise<Group | undefined> {
  let group = await store.getGroup(groupId);
  while (group && group.parentGroupId !== null) group = await store.getGroup(group.parentGroupId);
  return group && (await store.getTaskOfGroup(group.id)) ? undefined : group;
}

async function agentsOf(core: Core, group: Group): Promise<readonly AgentView[]> {
  const below = await descendantsOf(core, group.id);
  const found: AgentView[] = [];
  for (const { id } of [group, ...below]) {
    let cursor: string | null = null;
    do {
      const page = await core.store.listGroupAgents({
        groupId: id,
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      });
      found.push(...page.agents);
      cursor = page.nextCursor;
    } while (cursor !== null && found.length < MAX_AGENTS);
  }
  return found.toSorted((a, b) => a.agent.createdAt - b.agent.createdAt).slice(0, MAX_AGENTS);
}

async function summariesOf(
  { store }: Pick<Core, "store">,
  agents: readonly AgentView[],
): Promise<ReadonlyMap<string, string>> {
  const summaries = new Map<string, string>();
  for (const { agent } of agents.filter((each) => isSettled(each.agent))) {
    const result = await store.getResult(agent.id);
    const text = result?.errorMessage ?? result?.summary ?? "";
    if (text !== "") summaries.set(agent.id, text);
  }
  return summaries;
}
