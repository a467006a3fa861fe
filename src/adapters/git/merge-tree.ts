import type { MergeConflict, MergePreview, Oid } from "../../app/ports/git.ts";
import { fieldsOfZ, isOid, nameOf, requireOid } from "./fields.ts";
import { gitFailed } from "./refusals.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";

export type Pair = { readonly ours: Oid; readonly theirs: Oid };

const ARGS = [
  "merge-tree",
  "--write-tree",
  "--messages",
  "--allow-unrelated-histories",
  "-z",
  "--stdin",
];

/** One process for all pairs. A missing commit is an error, never a conflict. */
export async function mergeTrees(
  shell: GitShell,
  commonDirectory: string,
  objects: "storing" | "outside",
  pairs: readonly Pair[],
): Promise<readonly MergePreview[]> {
  if (pairs.length === 0) return [];
  for (const { ours, theirs } of pairs) requireOid(ours, theirs);
  await requireCommits(shell, commonDirectory, pairs);
  const input = pairs.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join("");
  const output = outputOf({ args: ARGS }, await shell[objects](commonDirectory, ARGS, { input }));
  const previews = parse(fieldsOfZ(output));
  if (previews.length !== pairs.length) throw gitFailed(ARGS, "the answer is incomplete");
  return previews;
}

async function requireCommits(
  shell: GitShell,
  commonDirectory: string,
  pairs: readonly Pair[],
): Promise<void> {
  const ids = [...new Set(pairs.flatMap(({ ours, theirs }) => [ours, theirs]))];
  const args = ["cat-file", "--batch-check"];
  const input = ids.map((id) => `${id}\n`).join("");
  const answer = outputOf({ args }, await shell.outside(commonDirectory, args, { input }));
  for (const line of answer.toString("latin1").trimEnd().split("\n")) {
    const [id, type] = line.split(" ");
    if (type !== "commit") throw gitFailed(["merge-tree"], `${id} is no commit of the repository`);
  }
}

/** Each merge: clean (1) or not (0), tree, conflicted entries, empty field, messages, empty field. */
function parse(fields: readonly string[]): MergePreview[] {
  const previews: MergePreview[] = [];
  let at = 0;
  const next = (): string => fields[at++] ?? "";
  while (at < fields.length) {
    const flag = next();
    const tree = next();
    if (!isOid(tree) || !["0", "1"].includes(flag)) throw gitFailed(ARGS, "the answer has no tree");
    const entries = new Set<string>();
    for (let entry = next(); entry !== ""; entry = next()) {
      entries.add(entry.slice(entry.indexOf("\t") + 1));
    }
    const conflicts: MergeConflict[] = [];
    for (let count = next(); count !== ""; count = next()) {
      const paths = Array.from({ length: Number(count) }, next);
      const type = /^CONFLICT \((.+)\)$/.exec(next())?.[1];
      next();
      if (type === undefined) continue;
      for (const path of paths.slice(0, 1)) {
        entries.delete(path);
        conflicts.push({ path: nameOf(path), type });
      }
    }
    for (const path of entries) conflicts.push({ path: nameOf(path), type: "contents" });
    previews.push(flag === "1" ? { clean: true, tree } : { clean: false, conflicts });
  }
  return previews;
}
