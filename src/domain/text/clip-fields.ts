import { isRecord, type Fields } from "../../base/narrow.ts";
import { truncate } from "../../base/truncate.ts";

export type ClipLimits = {
  /** Characters of all texts together. */
  readonly maxChars: number;
  /**
   * Characters of one text if not everything fits: a very long text must not displace the others.
   */
  readonly maxTextChars: number;
};

/** The fixed cost of a member, so that number and depth of the members are limited too. */
const MEMBER_CHARS = 8;

type Room = { left: number; isCut: boolean; readonly maxTextChars: number };

/** The same object if the fields fit, else their beginning. */
export function clipFields(fields: Fields, { maxChars, maxTextChars }: ClipLimits): Fields {
  const room: Room = { left: maxChars, isCut: false, maxTextChars: maxChars };
  fieldsIn(fields, room);
  if (!room.isCut) return fields;
  return fieldsIn(fields, { left: maxChars, isCut: false, maxTextChars });
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
  const most = Math.max(0, Math.min(room.left, room.maxTextChars));
  room.isCut ||= text.length > most;
  room.left -= Math.min(text.length, most);
  return truncate(text, most);
}
