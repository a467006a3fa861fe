import {
  type FileDiffMetadata,
  getFiletypeFromFileName,
  processFile,
  setLanguageOverride,
} from "@pierre/diffs";
import { visibleName } from "../../../text/visible.ts";
import type { ChangedFile } from "../change-data.ts";
import { grammarFor } from "./languages.ts";

/** A file whose patch is not read yet, or that has none: only its header is shown. */
export function emptyDiff({ path }: ChangedFile): FileDiffMetadata {
  return {
    name: visibleName(path),
    type: "change",
    hunks: [],
    splitLineCount: 0,
    unifiedLineCount: 0,
    isPartial: true,
    deletionLines: [],
    additionLines: [],
    deletionCharacterCount: 0,
    additionCharacterCount: 0,
  };
}

/** `key` names the content, so that it is highlighted once. */
export function diffOf(file: ChangedFile, patch: string, key: string): FileDiffMetadata {
  const found = processFile(patch, { cacheKey: key, isGitDiff: true });
  if (!found || found.hunks.length === 0) return emptyDiff(file);
  const named = { ...found, name: visibleName(file.path) };
  const language = getFiletypeFromFileName(file.path);
  const grammar = grammarFor(language);
  return grammar === language ? named : setLanguageOverride(named, grammar);
}
