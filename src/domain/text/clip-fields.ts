import { isRecord, type Fields } from "../../base/narrow.ts";
import { truncate } from "../../base/truncate.ts";

export type ClipLimits = {
  /** Characters of everything together. */
  readonly mostChars: number;
  /** Of one text, once not everything fits: one that is very long must not push out the others. */
  readonly mostOfText: number;
};

/** What a member counts besides its text; so their number and their depth have an end as well. */
const MEMBER_CHARS = 8;

type Room = { left: number; isCut: boolean; readonly mostOfText: number };

/** The very same fields if they fit, else the beginning of them. */
export function clipFields(fields: Fields, { mostChars, mostOfText }: ClipLimits): Fields {
  const room: Room = { left: mostChars, isCut: false, mostOfText: mostChars };
  fieldsIn(fields, room);
  if (!room.isCut) return fields;
  return fieldsIn(fields, { left: mostChars, isCut: false, mostOfText });
}

function fieldsIn(fields: Fields, room: Room): Fields {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    room.left -= name.length;
    if (isFull(room)) break;
    kept.push([name, valueIn(value, room)]);
  }
  return Object.fromEntries(kept);
}

function listIn(list: readonly unknown[], room: Room): readonly unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (isFull(room)) break;
    kept.push(valueIn(item, room));
  }
  return kept;
}

function isFull(room: Room): boolean {
  if (room.left > 0) return false;
  room.isCut = true;
  return true;
}

function valueIn(value: unknown, room: Room): unknown {
  room.left -= MEMBER_CHARS;
  if (typeof value === "string") return textIn(value, room);
  if (Array.isArray(value)) return listIn(value, room);
  return isRecord(value) ? fieldsIn(value, room) : value;
}

function textIn(text: string, room: Room): string {
  const most = Math.max(0, Math.min(room.left, room.mostOfText));
  room.isCut ||= text.length > most;
  room.left -= Math.min(text.length, most);
  return truncate(text, most);
}
