import { expect, test } from "vitest";
import type { ChangedFile } from "../change-data.ts";
import { CHANGES } from "../texts.ts";
import { fileNotes } from "./file-note.ts";
import type { Patch } from "./use-patches.ts";

const words = CHANGES.en.notes;

function aFile(changes: Partial<ChangedFile>): ChangedFile {
  return {
    path: "src/a.ts",
    from: null,
    status: "modified",
    kind: "file",
    isBinary: false,
    added: 1,
    removed: 0,
    modeChanged: false,
    lineEndingsOnly: false,
    leavesTree: false,
    ...changes,
  };
}

function read(reason?: "binary" | "too_long"): Patch {
  const patch = { path: "src/a.ts", version: 1, patch: null, ...(reason && { reason }) };
  return { state: "read", patch, text: null, lines: [] };
}

test("an ordinary file needs no words", () => {
  expect(fileNotes(aFile({}), undefined, words)).toEqual([]);
});

test("what a diff cannot show is said in words", () => {
  const said = (file: Partial<ChangedFile>, patch?: Patch) =>
    fileNotes(aFile(file), patch, words).join(" ");
  expect(said({ isBinary: true })).toBe(words.binary);
  expect(said({}, read("too_long"))).toBe(words.tooLong);
  expect(said({ from: "src/b.ts", status: "renamed" })).toBe("Was src/b.ts");
  expect(said({ kind: "submodule" })).toBe(words.submodule);
  expect(said({ kind: "symlink", leavesTree: true })).toBe(words.leavesTree);
  expect(said({ modeChanged: true, lineEndingsOnly: true })).toBe(
    `${words.mode} ${words.lineEndings}`,
  );
  expect(said({}, read())).toBe(words.empty);
});

test("a path with hidden characters is shown with them made visible", () => {
  expect(fileNotes(aFile({ from: "a\u202Eb" }), undefined, words)).toEqual(["Was a\\u{202E}b"]);
});
