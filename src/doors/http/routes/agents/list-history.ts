import { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import type { HistoryEntry } from "../../../../app/ports/store.ts";
import { wireResult } from "../../../../contract/agent-shapes.ts";
import { iso, isoOrNull } from "../../../../contract/iso.ts";
import { historyEntryShape, type WireHistoryEntry } from "../../../../contract/record-shapes.ts";
import { AGENT_STATUSES } from "../../../../domain/agents/agent.ts";
import { defineRoute } from "../../define-route.ts";
import { cursor, idText, limit, NO_BODY, NO_PARAMS } from "../inputs.ts";

const time = z.iso.datetime({ offset: true }).optional();

export const listHistory = defineRoute({
  method: "get",
  path: "/api/history",
  summary: "Settled agents with their results, the last ended first unless asked for otherwise.",
  params: NO_PARAMS,
  query: z.strictObject({
    groupId: idText.optional(),
    role: idText.optional(),
    runner: idText.optional(),
    status: z.enum(AGENT_STATUSES).optional(),
    from: time.describe("Ended at or after"),
    until: time.describe("Ended before"),
    order: z.enum(["asc", "desc"]).default("desc").describe("By when they ended"),
    limit: limit(200, 50),
    cursor,
  }),
  body: NO_BODY,
  answer: z.object({ entries: z.array(historyEntryShape), nextCursor: z.string().nullable() }),
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
      entries: page.entries.map((entry) => wireEntry(entry, descriptions)),
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
  { agent, result }: HistoryEntry,
  descriptions: ReadonlyMap<string, string>,
): WireHistoryEntry {
  const { response: _response, timestamp: _timestamp, ...shown } = wireResult(result);
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
