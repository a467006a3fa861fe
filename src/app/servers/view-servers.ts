import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { ServerRow } from "../ports/servers.ts";

type Among = Pick<Core, "servers" | "serverId">;

export type ServerView = ServerRow & {
  /** It is the server that answers. */
  readonly isThis: boolean;
};

/** The servers that share the store and have not stopped; empty: this one has it for itself. */
export async function viewServers({ servers, serverId }: Among): Promise<readonly ServerView[]> {
  const rows = (await servers?.list()) ?? [];
  return rows
    .filter(({ hasLeft }) => !hasLeft)
    .map((row) => ({ ...row, isThis: row.id === serverId }));
}

/**
 * Each server reads its own configuration file. Only hashes of one version are compared: another one
 * may know more settings, and then has another hash of the same file.
 */
export function haveSameConfiguration(
  servers: readonly Pick<ServerRow, "configHash" | "version">[],
): boolean {
  const byVersion = Map.groupBy(servers, ({ version }) => version);
  return [...byVersion.values()].every(
    (same) => new Set(same.map(({ configHash }) => configHash)).size === 1,
  );
}

/** Rejects if a change of the file would reach only one of several servers. */
export async function requireOneServer(core: Among): Promise<void> {
  const count = (await viewServers(core)).length;
  if (count <= 1) return;
  throw new Refusal("SEVERAL_SERVERS", {
    en: [
      `${count} servers share this database, and each one has its own configuration file.`,
      "Change the file on every host, then run `kuromajutsu reload` there.",
    ],
    ja: [
      `${count} 台のサーバーがこのデータベースを共有していて、設定ファイルはサーバーごとにあります。`,
      "すべてのホストで設定ファイルを変更し、それぞれで `kuromajutsu reload` を実行してください。",
    ],
  });
}
