import { useCallback, useState } from "react";
import { isRecord, parseJson } from "../../../../../src/base/narrow.ts";

const PREFIX = "kuromajutsu.viewed ";
/** Marks of older changes are dropped. */
const MAX_CHANGES = 30;

/** The files that the reader has marked, in this browser. A new version begins without marks. */
export function useViewed(key: string) {
  const [viewed, setViewed] = useState<ReadonlySet<string>>(() => read(key));
  const toggle = useCallback(
    (path: string) =>
      setViewed((known) => {
        const next = new Set(known);
        if (!next.delete(path)) next.add(path);
        save(key, next);
        return next;
      }),
    [key],
  );
  return { viewed, toggle };
}

function read(key: string): ReadonlySet<string> {
  try {
    const saved = parseJson(localStorage.getItem(PREFIX + key) ?? "");
    const paths = isRecord(saved) ? saved["paths"] : undefined;
    return new Set(Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : []);
  } catch {
    return new Set();
  }
}

function save(key: string, paths: ReadonlySet<string>): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify({ at: Date.now(), paths: [...paths] }));
    const all = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    const ages = all.map((name) => ({ name, at: ageOf(name) })).sort((a, b) => b.at - a.at);
    for (const { name } of ages.slice(MAX_CHANGES)) localStorage.removeItem(name);
  } catch {
    // Without storage the marks hold until the page is reloaded.
  }
}

function ageOf(name: string): number {
  const saved = parseJson(localStorage.getItem(name) ?? "");
  const at = isRecord(saved) ? saved["at"] : undefined;
  return typeof at === "number" ? at : 0;
}
