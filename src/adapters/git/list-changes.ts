import { posix } from "node:path";
import type { FileChange, FileStatus, Oid } from "../../app/ports/git.ts";
import { fieldsOfZ, nameOf, requireOid } from "./fields.ts";
import { gitFailed } from "./refusals.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";

const LINK = "120000";
const SUBMODULE = "160000";
const STATUS: Readonly<Record<string, FileStatus>> = {
  A: "added",
  C: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "typechange",
};
const DIFF = ["diff-tree", "-r", "-M", "-z", "--no-ext-diff", "--no-textconv", "--no-color"];

type Row = {
  readonly oldMode: string;
  readonly newMode: string;
  readonly newOid: Oid;
  readonly status: FileStatus;
  readonly from: string | null;
  readonly path: string;
};
type Counts = { readonly added: number | null; readonly removed: number | null };

export async function listChanges(
  shell: GitShell,
  commonDirectory: string,
  from: Oid,
  to: Oid,
): Promise<readonly FileChange[]> {
  requireOid(from, to);
  const read = async (...more: readonly string[]): Promise<string[]> => {
    const args = [...DIFF, ...more, from, to];
    return fieldsOfZ(outputOf({ args }, await shell.outside(commonDirectory, args)));
  };
  const [raw, counted] = await Promise.all([read("--raw"), read("--numstat")]);
  const rows = rowsOf(raw);
  if (rows.length === 0) return [];
  const counts = countsOf(counted);
  const isEdited = rows.some(({ status }) => status === "modified" || status === "renamed");
  const withoutCr = isEdited ? countsOf(await read("--numstat", "--ignore-cr-at-eol")) : counts;
  const targets = await linkTargets(shell, commonDirectory, rows);
  return rows.map((row) => changeOf(row, counts.get(row.path), withoutCr.get(row.path), targets));
}

function changeOf(
  row: Row,
  counts: Counts | undefined,
  withoutCr: Counts | undefined,
  targets: ReadonlyMap<Oid, string>,
): FileChange {
  const { oldMode, newMode, status, from, path } = row;
  const added = counts?.added ?? null;
  const removed = counts?.removed ?? null;
  const mode = status === "deleted" ? oldMode : newMode;
  const isEdited = status === "modified" || status === "renamed";
  const target = newMode === LINK ? targets.get(row.newOid) : undefined;
  return {
    path: nameOf(path),
    from: from === null ? null : nameOf(from),
    status,
    kind: mode === LINK ? "symlink" : mode === SUBMODULE ? "submodule" : "file",
    isBinary: counts !== undefined && counts.added === null,
    added,
    removed,
    modeChanged: isEdited && oldMode !== newMode,
    // With this option git leaves a file out, or counts nothing in it, if its lines are equal.
    lineEndingsOnly:
      isEdited &&
      (added ?? 0) + (removed ?? 0) > 0 &&
      (withoutCr?.added ?? 0) + (withoutCr?.removed ?? 0) === 0,
    leavesTree: target !== undefined && leavesTree(path, target),
  };
}

function rowsOf(fields: readonly string[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < fields.length;) {
    const [oldMode = "", newMode = "", , newOid = "", letter = ""] = (fields[at++] ?? "")
      .slice(1)
      .split(" ");
    const isRenamed = /^[RC]/.test(letter);
    const from = isRenamed ? (fields[at++] ?? "") : null;
    const path = fields[at++] ?? "";
    const status = STATUS[letter.charAt(0)];
    if (!status) throw gitFailed(DIFF, `unknown status ${letter}`);
    rows.push({ oldMode, newMode, newOid, status, from, path });
  }
  return rows;
}

/** `added TAB removed TAB path`; a renamed file has an empty path and its two paths as own fields. */
function countsOf(fields: readonly string[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (let at = 0; at < fields.length;) {
    const [added = "", removed = "", ...rest] = (fields[at++] ?? "").split("\t");
    const inline = rest.join("\t");
    if (inline === "") at++;
    const path = inline === "" ? (fields[at++] ?? "") : inline;
    counts.set(path, { added: countOf(added), removed: countOf(removed) });
  }
  return counts;
}

/** A binary file has `-`. */
function countOf(text: string): number | null {
  return text === "-" ? null : Number(text);
}

/** One process reads the targets of all changed links. */
async function linkTargets(
  shell: GitShell,
  commonDirectory: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<Oid, string>> {
  const links = [
    ...new Set(rows.filter(({ newMode }) => newMode === LINK).map((row) => row.newOid)),
  ];
  const targets = new Map<Oid, string>();
  if (links.length === 0) return targets;
  const args = ["cat-file", "--batch"];
  const input = links.map((oid) => `${oid}\n`).join("");
  const output = outputOf({ args }, await shell.outside(commonDirectory, args, { input }));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf("\n", at);
    const [oid = "", , size = "0"] = output.toString("latin1", at, end).split(" ");
    targets.set(oid, output.toString("latin1", end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return targets;
}

function leavesTree(path: string, target: string): boolean {
  if (posix.isAbsolute(target)) return true;
  const resolved = posix.normalize(posix.join(posix.dirname(path), target));
  return resolved === ".." || resolved.startsWith("../");
}
