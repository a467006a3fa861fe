import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { Oid } from "../ports/git.ts";
import type { ServerRow } from "../ports/servers.ts";

type Here = Pick<Core, "serverId" | "host" | "servers">;
type WithGit = Here & Pick<Core, "directories" | "git">;

/** This server; null: no other one can use the store. */
export function thisServer({ host, serverId, servers }: Here): string | null {
  return host ? (servers?.id ?? null) : serverId;
}

/** Whether another server has made the worktree and the commits. They may be on a shared disk. */
export function isOfAnother(core: Here, { serverId }: Pick<Workspace, "serverId">): boolean {
  return serverId !== null && serverId !== thisServer(core);
}

/** The row of the server that has the change; undefined: it is gone, or unknown. */
export async function ownerOf(
  { servers }: Here,
  { serverId }: Pick<Workspace, "serverId">,
): Promise<ServerRow | undefined> {
  return (await servers?.list())?.find(({ id }) => id === serverId);
}

/**
 * Whether the repository at this path has the commit. A clone of another host has the branches of
 * people, and not those of agents.
 */
export async function hasCommit(
  { directories, git }: Pick<WithGit, "directories" | "git">,
  repository: string,
  commit: Oid | null,
): Promise<boolean> {
  if (!(await directories.exists(repository))) return false;
  return commit === null || (await git.resolve(repository, commit)) !== undefined;
}

/** Refuses a change that is only in the repository of another server, and says where it is. */
export async function requireChangeHere(core: WithGit, workspace: Workspace): Promise<void> {
  if (!isOfAnother(core, workspace)) return;
  const { repository, head, start } = workspace;
  if (await hasCommit(core, repository, head ?? start)) return;
  throw changeElsewhere(workspace, await ownerOf(core, workspace));
}

export function changeElsewhere(
  { agentId, repository, serverId }: Pick<Workspace, "agentId" | "repository" | "serverId">,
  owner: ServerRow | undefined,
): Refusal {
  const { en, ja } = whereToAsk(serverId, owner);
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `The change of ${agentId} is in the repository ${repository} of the server ${serverId}, and not on this server.`,
      `${en} If all servers use the repository on one shared disk, any of them can do it.`,
    ],
    ja: [
      `${agentId} の変更は、サーバー ${serverId} のリポジトリ ${repository} にあり、このサーバーにはありません。`,
      `${ja}リポジトリを共有のディスクに置くと、どのサーバーでもできます。`,
    ],
  });
}

export function directoryElsewhere(
  { agentId, path, serverId }: Pick<Workspace, "agentId" | "path" | "serverId">,
  owner: ServerRow,
): Refusal {
  const { en, ja } = whereToAsk(serverId, owner);
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The worktree of ${agentId} (${path}) is on the disk of the server ${serverId}, so it was not removed.`,
      `${en} That server also removes it by itself when its time is over.`,
    ],
    ja: [
      `${agentId} の作業ツリー（${path}）はサーバー ${serverId} のディスクにあるので、削除していません。`,
      `${ja}期限が来れば、そのサーバーが自動で削除します。`,
    ],
  });
}

function whereToAsk(serverId: string | null, owner: ServerRow | undefined) {
  if (!owner || owner.hasLeft) {
    return {
      en: `Start ${serverId} again: it is not running.`,
      ja: `${serverId} は動いていません。もう一度起動してください。`,
    };
  }
  const at = owner.url === null ? owner.host : `${owner.url} (${owner.host})`;
  return { en: `Ask that server: ${at}.`, ja: `そのサーバーで操作してください: ${at}。` };
}
