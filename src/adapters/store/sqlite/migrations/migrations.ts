import type { Migration } from "kysely/migration";
import { groupsAndAgents } from "./0001-groups-and-agents.ts";

/** In the order of their names. A plain object: the product is one bundle, there is no folder to read. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-groups-and-agents": groupsAndAgents,
};
