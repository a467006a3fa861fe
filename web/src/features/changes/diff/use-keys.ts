import type { KeyboardEvent } from "react";
import { isTyping } from "../../../ui/is-typing.ts";
import type { ChangedFile } from "../change-data.ts";
import { extended, type LineRange, nextLine } from "./cursor.ts";
import type { PatchLine } from "./patch-lines.ts";

export type DiffKeys = {
  readonly files: readonly ChangedFile[];
  readonly linesIn: (path: string) => readonly PatchLine[];
  readonly current: string | null;
  readonly cursor: LineRange | null;
  readonly onFile: (path: string) => void;
  readonly onLine: (range: LineRange) => void;
  readonly onComment: ((range: LineRange) => void) | undefined;
  readonly onViewed: (path: string) => void;
};

/** Keys of the diff: j, k lines; n, p files; c comment; v viewed. */
export function createDiffKeys(keys: DiffKeys) {
  return (event: KeyboardEvent): void => {
    if (isTyping(event.nativeEvent) || event.metaKey || event.ctrlKey || event.altKey) return;
    const act = actionOf(event.key, event.shiftKey, keys);
    if (!act) return;
    // N opens a dialog and J scrolls elsewhere on the page.
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function actionOf(key: string, isShift: boolean, keys: DiffKeys): (() => void) | undefined {
  const { cursor, current, onComment } = keys;
  switch (key.toLowerCase()) {
    case "j":
    case "k": {
      const step = key.toLowerCase() === "j" ? 1 : -1;
      return () => (isShift && cursor ? grow(keys, cursor, step) : move(keys, step));
    }
    case "n":
      return () => openBeside(keys, 1);
    case "p":
      return () => openBeside(keys, -1);
    case "c":
      return cursor && onComment ? () => onComment(cursor) : undefined;
    case "v":
      return current === null ? undefined : () => keys.onViewed(current);
    default:
      return undefined;
  }
}

function move(keys: DiffKeys, step: 1 | -1): void {
  const { current, cursor, files, linesIn, onLine } = keys;
  const path = cursor?.path ?? current ?? files[0]?.path;
  if (path === undefined) return;
  const line = nextLine(linesIn(path), cursor, step);
  if (line) return onLine({ path, side: line.side, line: line.line, endLine: line.line });
  openBeside(keys, step);
}

function grow({ linesIn, onLine }: DiffKeys, cursor: LineRange, step: 1 | -1): void {
  onLine(extended(linesIn(cursor.path), cursor, step));
}

function openBeside({ files, current, cursor, onFile }: DiffKeys, step: 1 | -1): void {
  const at = files.findIndex(({ path }) => path === (cursor?.path ?? current));
  const next = files[at + step];
  if (next) onFile(next.path);
}
