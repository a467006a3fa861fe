import { visibleName } from "../../../text/visible.ts";
import type { ChangedFile } from "../change-data.ts";
import type { ChangeWords } from "../texts.ts";
import type { Patch } from "./use-patches.ts";

/** What the diff of a file does not show, or shows badly, in words. */
export function fileNotes(
  file: ChangedFile,
  patch: Patch | undefined,
  words: ChangeWords["notes"],
): readonly string[] {
  const notes: string[] = [];
  if (file.from !== null && file.from !== file.path)
    notes.push(words.renamed(visibleName(file.from)));
  if (file.kind === "submodule") notes.push(words.submodule);
  if (file.kind === "symlink") notes.push(file.leavesTree ? words.leavesTree : words.symlink);
  if (file.modeChanged) notes.push(words.mode);
  if (file.lineEndingsOnly) notes.push(words.lineEndings);
  const reason = patch?.state === "read" ? patch.patch.reason : undefined;
  if (file.isBinary || reason === "binary") notes.push(words.binary);
  else if (reason === "too_long") notes.push(words.tooLong);
  else if (patch?.state === "read" && patch.lines.length === 0 && notes.length === 0)
    notes.push(words.empty);
  return notes;
}
