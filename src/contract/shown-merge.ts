import { fieldsOf, isRecord, numberOf, textOf, type Fields } from "../base/narrow.ts";

/** What people see before they approve a merge: `shown` of an approval of that kind. */
export type ShownMerge = {
  readonly agentId: string;
  readonly version: number;
  readonly target: string;
  readonly mode: string;
  readonly message: string;
  readonly intoCheckout: boolean;
  /** false: git cannot merge it now. */
  readonly isClean: boolean;
  readonly conflicts: readonly string[];
  /** null: no command checks it. */
  readonly check: string | null;
  readonly fileCount: number;
  readonly added: number;
  readonly removed: number;
  /** The first files; `fileCount` counts all. */
  readonly files: readonly ShownFile[];
};

export type ShownFile = {
  readonly path: string;
  /** The earlier path of a renamed file. */
  readonly from: string | null;
  readonly status: string;
  /** null for binary files. */
  readonly added: number | null;
  readonly removed: number | null;
};

export function shownMerge(shown: Fields): ShownMerge {
  return {
    agentId: textOf(shown["agentId"]) ?? "",
    version: numberOf(shown["version"]) ?? 0,
    target: textOf(shown["target"]) ?? "",
    mode: textOf(shown["mode"]) ?? "",
    message: textOf(shown["message"]) ?? "",
    intoCheckout: shown["intoCheckout"] === true,
    isClean: shown["isClean"] === true,
    conflicts: recordsOf(shown["conflicts"]).map(({ path }) => textOf(path) ?? ""),
    check: textOf(shown["check"]) ?? null,
    fileCount: numberOf(shown["fileCount"]) ?? 0,
    added: numberOf(shown["added"]) ?? 0,
    removed: numberOf(shown["removed"]) ?? 0,
    files: recordsOf(shown["files"]).map((file) => ({
      path: textOf(file["path"]) ?? "",
      from: textOf(file["from"]) ?? null,
      status: textOf(file["status"]) ?? "",
      added: numberOf(file["added"]) ?? null,
      removed: numberOf(file["removed"]) ?? null,
    })),
  };
}

function recordsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord).map(fieldsOf) : [];
}

const LETTERS: Readonly<Record<string, string>> = {
  added: "A",
  modified: "M",
  deleted: "D",
  renamed: "R",
  typechange: "T",
};

/** The letter of git for what happened to a file. */
export function fileLetter({ status }: Pick<ShownFile, "status">): string {
  return LETTERS[status] ?? "?";
}

/** `+3 −1`; a binary file has no lines. */
export function lineCounts(file: Pick<ShownFile, "added" | "removed">): string {
  if (file.added === null || file.removed === null) return "bin";
  return `+${file.added} −${file.removed}`;
}
