import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";

/** A person decides about what they saw, not about a version that came in between. */
export function requireNewest(workspace: Workspace, version: number): void {
  if (version === workspace.version) return;
  throw new Refusal("VERSION_CONFLICT", {
    en: [
      `The change has version ${workspace.version}; you saw ${version}.`,
      "Look at the new version first.",
    ],
    ja: [
      `変更のバージョンは ${workspace.version} ですが、表示していたのは ${version} です。`,
      "先に新しいバージョンを確かめてください。",
    ],
  });
}
