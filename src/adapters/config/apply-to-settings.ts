import { isRecord } from "../../base/narrow.ts";
import type { ListEdit, ListPath } from "./edit-list-text.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Applies an edit to the settings as plain data; the edited text must parse to exactly this. */
export function applyToSettings(settings: unknown, path: ListPath, edit: ListEdit): unknown {
  const whole = isRecord(settings) ? settings : {};
  return withListAt(whole, path, (list) => applyToList(list, edit));
}

/** Treats a missing list and an empty one as equal. */
export function withList(settings: unknown, path: ListPath): unknown {
  return isRecord(settings) ? withListAt(settings, path, (list) => list) : settings;
}

function withListAt(
  map: Settings,
  [key, below]: readonly [string, string?],
  change: (list: readonly unknown[]) => readonly unknown[],
): Settings {
  const value = map[key];
  if (below === undefined) return { ...map, [key]: change(Array.isArray(value) ? value : []) };
  return { ...map, [key]: withListAt(isRecord(value) ? value : {}, [below], change) };
}

function applyToList(list: readonly unknown[], edit: ListEdit): readonly unknown[] {
  const isIt = (entry: unknown) => isRecord(entry) && entry["id"] === edit.id;
  if (edit.kind === "remove") return list.filter((entry) => !isIt(entry));
  if (!list.some(isIt)) return [...list, withFields({ id: edit.id }, edit.fields)];
  return list.map((entry) =>
    isIt(entry) && isRecord(entry) ? withFields(entry, edit.fields) : entry,
  );
}

function withFields(entry: Settings, fields: Settings): unknown {
  const merged = Object.entries({ ...entry, ...fields });
  return Object.fromEntries(merged.filter(([key, value]) => value !== null || !(key in fields)));
}
