import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { Oid } from "../ports/git.ts";
import { requireChangeHere } from "../workspaces/place-of-change.ts";
import { requireWorkspace } from "../workspaces/require-workspace.ts";
import { requireVersion } from "./view-change.ts";

/** A browser shows no more than this of one file. */
const MAX_PATCH_BYTES = 2_097_152;

export type ChangedFile = {
  readonly path: string;
  readonly version: number;
  readonly patch: string | null;
  readonly reason?: "binary" | "too_long";
};

/** The patch of one file of a change. */
export async function readChangedFile(
  core: Core,
  id: string,
  path: string,
  wanted?: number,
): Promise<ChangedFile> {
  const workspace = await requireWorkspace(core.store, id);
  const versions = await core.store.listVersions(workspace.id);
  const version = requireVersion(workspace, versions, wanted);
  if (!version) throw notChanged(path);
  await requireChangeHere(core, workspace);
  const file = await patchOf(core, workspace.repository, version.base, version.commit, path);
  return { ...file, path, version: version.version };
}

export async function patchOf(
  core: Core,
  repository: string,
  from: Oid,
  to: Oid,
  path: string,
): Promise<Pick<ChangedFile, "patch" | "reason">> {
  const changes = await core.git.listChanges(repository, from, to);
  const change = changes.find((each) => each.path === path);
  if (!change) throw notChanged(path);
  if (change.isBinary) return { patch: null, reason: "binary" };
  const patch = await core.git.filePatch(repository, from, to, change, MAX_PATCH_BYTES);
  return patch === null ? { patch, reason: "too_long" } : { patch };
}

function notChanged(path: string): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [`The change does not touch ${path}.`, "Name one of its files, exactly as it is listed."],
    ja: [
      `この変更に ${path} は含まれていません。`,
      "変更に含まれるファイルを、一覧のとおりに指定してください。",
    ],
  });
}
