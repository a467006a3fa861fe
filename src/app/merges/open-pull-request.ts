import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import { requireChangeHere } from "../workspaces/place-of-change.ts";
import {
  requireIdle,
  requireOpenChange,
  requireWorkspace,
} from "../workspaces/require-workspace.ts";
import { noTarget, nothingChanged, oldVersion } from "./merge-refusals.ts";

export type OpenPullRequest = {
  readonly id: string;
  readonly version: number;
  readonly title?: string;
  readonly body?: string;
  readonly target?: string;
};

export type PullRequest = { readonly url: string; readonly tool: "gh" | "glab" };

/** Pushes the branch of a change and opens a pull request with the tool of the repository's host. */
export async function openPullRequest(
  core: Core,
  identity: Identity,
  { id, version, title, body, ...input }: OpenPullRequest,
): Promise<PullRequest> {
  const person = requirePerson(identity, "operator");
  const workspace = await requireWorkspace(core.store, id);
  requireOpenChange(workspace);
  await requireIdle(core.store, workspace);
  if (workspace.version !== version) throw oldVersion(workspace, version);
  if (workspace.files === 0) throw nothingChanged(workspace);
  const target = input.target ?? core.settings.workspace.mergeTarget ?? workspace.target;
  if (target === null) throw noTarget(workspace);
  await requireChangeHere(core, workspace);
  const tool = await core.workspaceTools.pullRequestTool(workspace.source);
  if (tool === null) throw noTool();
  const { url } = await core.workspaceTools.openPullRequest(tool, {
    repository: workspace.source,
    branch: workspace.branch,
    target,
    title: title ?? TITLES[core.settings.locale](workspace.agentId),
    body: body ?? "",
  });
  await core.store.transaction((unit) =>
    recordAudit(core, unit, {
      actor: person.id,
      action: "change.pull_request",
      subject: workspace.id,
      data: { agentId: workspace.agentId, version, branch: workspace.branch, target, url },
    }),
  );
  return { url, tool };
}

const TITLES = {
  ja: (agentId: string) => `${agentId} の変更`,
  en: (agentId: string) => `Change of ${agentId}`,
} as const;

function noTool(): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      "Neither gh nor glab can open a pull request for this repository.",
      "Install gh or glab, sign in with it, add a remote, and try again. Or push the branch yourself.",
    ],
    ja: [
      "gh でも glab でも、このリポジトリのプルリクエストを開けません。",
      "gh か glab をインストールしてサインインし、リモートを追加してから、もう一度試してください。自分でブランチをプッシュすることもできます。",
    ],
  });
}
