import type { Oid } from "../../app/ports/git.ts";
import type { Variables } from "../../base/allowed-environment.ts";
import { lineOf, requireOid } from "./fields.ts";
import { outputOf } from "./run-git.ts";
import { signedBy, type GitShell, type Person } from "./shell.ts";

export type CommitSpec = {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly message: string | Buffer;
  readonly author: Person;
  readonly at: number;
  readonly env?: Variables;
};

/** The same input gives the same id, so that a repeated call after a crash makes no second commit. */
export async function commitTree(
  shell: GitShell,
  commonDirectory: string,
  objects: "storing" | "outside",
  { tree, parents, message, author, at, env = {} }: CommitSpec,
): Promise<Oid> {
  requireOid(tree, ...parents);
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  const end = await shell[objects](commonDirectory, args, {
    input: message,
    env: { ...signedBy(author, at), ...env },
  });
  return lineOf(outputOf({ args }, end));
}
