import type { EventData, EventOf } from "../../contract/events/events.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { EditedConfig, RoleEdit } from "../ports/config-file.ts";
import { requireOneServer } from "../servers/view-servers.ts";
import type { RoleEditing } from "./role-editing.ts";

export type SaveOptions = {
  /** The hash of the text that the person saw. Omitted: the hash of the text in use. */
  readonly expectedHash?: string;
  /** Returns what would be written, and writes nothing. */
  readonly dryRun?: boolean;
};

export type RolesSaved = {
  readonly roleId: string;
  readonly saved: boolean;
  readonly edited: EditedConfig;
};

type Change = EventData<"config:updated">["change"];

/** Every edit goes through here, inside `exclusively`: write, reload, then emit. */
export async function saveRoles(
  core: Core,
  editing: RoleEditing,
  edit: RoleEdit,
  change: Change,
  { expectedHash = editing.loadedHash(), dryRun = false }: SaveOptions,
): Promise<RolesSaved> {
  if (!dryRun) await requireOneServer(core);
  const edited = await (
    dryRun
      ? editing.configFile.preview(edit, expectedHash)
      : editing.configFile.editRoles(edit, expectedHash)
  ).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === "CONFIG_CHANGED") await catchUp(core, editing);
    throw error;
  });
  const saved = !dryRun && edited.after !== edited.before;
  if (saved) {
    if (edited.created) core.log.info("The configuration file was created.", { path: edited.path });
    await editing.reload();
    await announceConfig(core, {
      change,
      roleId: edit.id,
      fields: edit.kind === "set" ? Object.keys(edit.fields) : [],
      hash: edited.hash,
    });
  }
  return { roleId: edit.id, saved, edited };
}

/** The file was edited by hand: loads it, so that the person's next read shows its content. */
export async function catchUp(core: Core, editing: RoleEditing): Promise<void> {
  const before = editing.loadedHash();
  try {
    await editing.reload();
  } catch (error) {
    core.log.warn(`The changed configuration could not be loaded. ${String(error)}`);
    return;
  }
  const hash = editing.loadedHash();
  if (hash !== before) await announceConfig(core, { change: "reloaded", hash });
}

/** The event does not contain the texts of the roles. */
export async function announceConfig(core: Core, data: EventData<"config:updated">): Promise<void> {
  const event: EventOf<"config:updated"> = {
    type: "config:updated",
    groupId: null,
    agentId: null,
    data,
    at: core.clock.now(),
  };
  try {
    await core.store.transaction((unit) => unit.emit(event));
  } catch (error) {
    // The file is written and in use: a full disk of the store must not make the edit fail.
    core.log.warn("A change of the configuration could not be stored.", { error: String(error) });
    core.events.emit(event);
  }
}
