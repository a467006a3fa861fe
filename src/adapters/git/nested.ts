import { join } from "node:path";
import type { Oid } from "../../app/ports/git.ts";
import { fieldsOfZ } from "./fields.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";
import type { StageSpec } from "./stage.ts";

type Place = Pick<StageSpec, "commonDirectory" | "workTree" | "base" | "into">;

/** The paths of real submodules: those of the base and those that `.gitmodules` names. */
export async function readSubmodules(
  shell: GitShell,
  { commonDirectory, workTree, base }: Place,
): Promise<ReadonlySet<string>> {
  const file = join(workTree, ".gitmodules");
  const named = [
    "config",
    "--no-includes",
    "-z",
    "-f",
    file,
    "--get-regexp",
    "^submodule\\..*\\.path$",
  ];
  const declared = await shell.outside(commonDirectory, named);
  const paths = declared.code === 0 ? fieldsOfZ(declared.stdout).map(valueOf) : [];
  return new Set([...paths, ...(base === null ? [] : await linksOf(shell, commonDirectory, base))]);
}

async function linksOf(
  shell: GitShell,
  commonDirectory: string,
  commit: Oid,
): Promise<readonly string[]> {
  const args = ["ls-tree", "-r", "-z", commit];
  return fieldsOfZ(outputOf({ args }, await shell.outside(commonDirectory, args)))
    .filter((row) => row.startsWith("160000 "))
    .map((row) => row.slice(row.indexOf("\t") + 1));
}

function valueOf(field: string): string {
  return field.slice(field.indexOf("\n") + 1);
}

/** The files of nested repositories, each seen as a folder of its own with its own ignore rules. */
export async function listNestedFiles(
  shell: GitShell,
  { commonDirectory, workTree, into }: Place,
  nested: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const path of nested) {
    const inside = join(workTree, Buffer.from(path, "latin1").toString("utf8"));
    const end = await shell.outside(
      commonDirectory,
      ["ls-files", "-o", "-z", "--exclude-standard"],
      { workTree: inside, index: `${into}.empty` },
    );
    if (end.code !== 0) continue;
    const names = fieldsOfZ(end.stdout);
    found.push(...names.filter((name) => !name.endsWith("/")).map((name) => `${path}/${name}`));
    const deeper = names
      .filter((name) => name.endsWith("/"))
      .map((name) => `${path}/${name.slice(0, -1)}`);
    found.push(
      ...(await listNestedFiles(shell, { commonDirectory, workTree, into, base: null }, deeper)),
    );
  }
  return found;
}
