import type { FileProblem } from "../../app/ports/setup.ts";
import { type Fields, isRecord } from "../../base/narrow.ts";

export type MergedText =
  | { readonly kind: "same" }
  | { readonly kind: "add" | "change"; readonly text: string }
  | { readonly problem: FileProblem };

/** The document with this value at these keys; maps that are missing are created. */
export function withValue(document: Fields, keys: readonly string[], value: unknown): Fields {
  const [key = "", ...rest] = keys;
  const inner = document[key];
  const next = rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value);
  return { ...document, [key]: next };
}

/** The first key on the way whose value is there and not a map. */
export function keyWithoutMap(document: Fields, keys: readonly string[]): string | undefined {
  let inner: unknown = document;
  for (const key of keys) {
    inner = isRecord(inner) ? inner[key] : undefined;
    if (inner === undefined) return undefined;
    if (!isRecord(inner)) return key;
  }
  return undefined;
}

export function valueAt(document: Fields, keys: readonly string[]): Fields | undefined {
  let inner: Fields | undefined = document;
  for (const key of keys) {
    const next: unknown = inner?.[key];
    inner = isRecord(next) ? next : undefined;
  }
  return inner;
}

export function lineEndOf(text: string): "\r\n" | "\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
