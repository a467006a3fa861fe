import type { Core } from "../core.ts";
import type { ServerRow } from "../ports/servers.ts";
import { createRecentRows } from "./recent-rows.ts";

type Among = Pick<Core, "servers">;

const recent = createRecentRows<ServerRow>();

/** The servers that share the store, this one included, without those that have stopped. */
export async function knownServers({ servers }: Among): Promise<readonly ServerRow[]> {
  return servers ? withoutLeft(await recent.read(servers)) : [];
}

/** The same, as they are now. */
export async function serversNow({ servers }: Among): Promise<readonly ServerRow[]> {
  return servers ? withoutLeft(await recent.readAgain(servers)) : [];
}

function withoutLeft(rows: readonly ServerRow[]): readonly ServerRow[] {
  return rows.filter(({ hasLeft }) => !hasLeft);
}
