import type { FileChange, Oid } from "../../app/ports/git.ts";
import { fieldsOfZ, requireOid } from "./fields.ts";
import { gitFailed } from "./refusals.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";

export async function filePatch(
  shell: GitShell,
  commonDirectory: string,
  from: Oid,
  to: Oid,
  { path, from: earlier }: Pick<FileChange, "path" | "from">,
  maxBytes: number,
): Promise<string | null> {
  requireOid(from, to);
  const paths = earlier === null ? [path] : [earlier, path];
  const how = ["-p", "-r", "-M", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color"];
  const args = ["diff-tree", ...how, from, to, "--", ...paths];
  const end = await shell.outside(commonDirectory, args, { maxBytes });
  return end.isCut ? null : outputOf({ args }, end).toString("utf8");
}

export async function readFileOf(
  shell: GitShell,
  commonDirectory: string,
  commit: Oid,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined | null> {
  requireOid(commit);
  if (path === "" || path.endsWith("/")) return undefined;
  const list = ["ls-tree", "-z", "-l", "--full-tree", commit, "--", path];
  const row = fieldsOfZ(outputOf({ args: list }, await shell.outside(commonDirectory, list)))[0];
  const [, type, oid, size] = (row ?? "").slice(0, (row ?? "").indexOf("\t")).split(/ +/);
  if (type !== "blob" || oid === undefined) return undefined;
  if (Number(size) > maxBytes) return null;
  const read = ["cat-file", "blob", oid];
  const end = await shell.outside(commonDirectory, read);
  if (end.code !== 0) throw gitFailed(read, end.stderr);
  return end.stdout;
}
