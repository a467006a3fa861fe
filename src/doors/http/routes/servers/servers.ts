import {
  haveSameConfiguration,
  type ServerView,
  viewServers,
} from "../../../../app/servers/view-servers.ts";
import * as contract from "../../../../contract/routes/servers.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import type { WireServer } from "../../../../contract/shapes/server.ts";
import { defineRoute } from "../../define-route.ts";

export const getServers = defineRoute(contract.getServers, {
  async run(core) {
    const servers = await viewServers(core);
    return {
      servers: servers.map(wireServer),
      sameConfiguration: haveSameConfiguration(servers),
    };
  },
});

function wireServer(server: ServerView): WireServer {
  const { id, host, pid, version, url, agents, isThis, isLeader, configHash } = server;
  const times = { startedAt: iso(server.startedAt), seen_ms: server.seenMsAgo };
  // A server of an older version says neither.
  const offer = { slots: server.slots ?? null, labels: [...(server.labels ?? [])] };
  const clock = { clockAhead_ms: server.clockAheadMs ?? 0 };
  const facts = { id, host, pid, version, url, agents, isThis, isLeader, configHash };
  return { ...facts, ...times, ...offer, ...clock };
}
