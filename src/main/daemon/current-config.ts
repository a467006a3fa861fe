import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { HostOffer } from "../../app/core.ts";
import type { Role, RoleTool } from "../../domain/roles/role.ts";
import { settingsOf } from "./settings-of.ts";

export type CurrentConfig = ReturnType<typeof createCurrentConfig>;

/** The configuration in use. A reload changes these objects in place, so their readers see it. */
export function createCurrentConfig(first: LoadedConfig) {
  const roles = new Map<string, Role>();
  const internalRoles = new Map<string, Role>();
  const roleTools = new Map<string, RoleTool>();
  const settings = settingsOf(first);
  let latest = first;
  function use(next: LoadedConfig): void {
    replaceAll(roles, next.roles);
    replaceAll(internalRoles, next.internalRoles);
    replaceAll(roleTools, next.tools);
    Object.assign(settings, settingsOf(next));
    latest = next;
  }
  use(first);
  const offer: HostOffer = {
    slots: () => latest.config.server.slots ?? null,
    labels: () => latest.config.server.labels,
  };
  return { roles, internalRoles, roleTools, settings, offer, latest: () => latest, use };
}

function replaceAll<Item extends { readonly id: string }>(
  map: Map<string, Item>,
  items: readonly Item[],
): void {
  map.clear();
  for (const item of items) map.set(item.id, item);
}
