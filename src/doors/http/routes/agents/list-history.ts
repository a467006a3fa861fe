import type { Core } from "../../../../app/core.ts";
import type { HistoryEntry } from "../../../../app/ports/store.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { wireResult } from "../../../../contract/shapes/agents.ts";
import type { WireHistoryEntry } from "../../../../contract/shapes/history.ts";
import { iso, isoOrNull } from "../../../../contract/shapes/iso.ts";
import { defineRoute } from "../../define-route.ts";

export const listHistory = defineRoute(contract.listHistory, {
  async run(core, { query }) {
    const page = await core.store.listHistory({
      ...(query.groupId && { groupId: query.groupId }),
      ...(query.role && { role: query.role }),
      ...(query.runner && { runner: query.runner }),
      ...(query.status && { status: query.status }),
      ...(query.from && { from: Date.parse(query.from) }),
      ...(query.until && { until: Date.parse(query.until) }),
      ...(query.cursor && { cursor: query.cursor }),
      order: query.order,
      limit: query.limit,
    });
    const descriptions = await describeGroups(core, page.entries);
    return {
      entries: page.entries.map((entry) => wireEntry(core, entry, descriptions)),
      nextCursor: page.nextCursor,
    };
  },
});

async function describeGroups(
  core: Core,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, string>> {
  const descriptions = new Map<string, string>();
  for (const id of new Set(entries.map(({ agent }) => agent.groupId))) {
    const group = await core.store.getGroup(id);
    descriptions.set(id, group?.description ?? "");
  }
  return descriptions;
}

function wireEntry(
  { settings }: Core,
  { agent, result }: HistoryEntry,
  descriptions: ReadonlyMap<string, string>,
): WireHistoryEntry {
  const {
    response: _response,
    timestamp: _timestamp,
    ...shown
  } = wireResult(result, settings.prices);
  return {
    ...shown,
    groupDescription: descriptions.get(agent.groupId) ?? "",
    runner: agent.runner,
    status: agent.status,
    result: result.status,
    createdAt: iso(agent.createdAt),
    startedAt: isoOrNull(agent.startedAt),
    endedAt: isoOrNull(agent.endedAt),
  };
}
