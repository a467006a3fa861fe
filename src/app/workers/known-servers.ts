import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ModelList } from "../../domain/health/host-models.ts";
import type { Core } from "../core.ts";
import type { ServerDetails, ServerRow } from "../ports/servers.ts";
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

/**
 * The models of each other server that runs agents and has the CLI, by the rows that were read last.
 * Every request for an agent reads them before it is judged.
 */
export function modelsOnServers(
  servers: NonNullable<Core["servers"]>,
  runner: RunnerId,
): readonly ModelList[] {
  return withoutLeft(recent.last(servers))
    .filter(({ id, slots }) => id !== servers.id && slots !== 0)
    .flatMap(({ models }) => {
      const list = models?.[runner];
      return list === undefined ? [] : [list ?? undefined];
    });
}

/** What the CLIs of this server list, for its row. */
export function modelsForRow({
  runners,
  health,
}: Pick<Core, "runners" | "health">): NonNullable<ServerDetails["models"]> {
  return Object.fromEntries(
    [...runners.values()].flatMap(({ id, takesOtherModels }) => {
      const known = health.models(id);
      // A list of a CLI that takes other models, too, could refuse none.
      if (!known || known.isMissing || takesOtherModels) return [];
      return [[id, known.models ?? null]];
    }),
  );
}
