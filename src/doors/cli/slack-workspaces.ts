import type { Locale } from "../../domain/locale.ts";
import type { Cli, SlackWorkspace } from "./cli.ts";
import type { Api } from "./terminal/api.ts";

type Texts = {
  readonly noDaemon: (dataDir: string) => string;
  readonly link: string;
  readonly noWorkspaces: string;
  readonly removed: (team: string) => string;
  readonly notInstalled: (team: string) => string;
};

export const SLACK_TEXTS: Readonly<Record<Locale, Texts>> = {
  ja: {
    noDaemon: (dataDir) =>
      `${dataDir} のデーモンが動いていません。\`kuromajutsu serve\` で始めてから、もう一度実行してください。`,
    link: "ワークスペースにインストールする人に、このリンクを渡してください。1 時間以内に 1 回だけ使えます:",
    noWorkspaces: "リンクでインストールしたワークスペースはありません。",
    removed: (team) => `${team} のトークンを削除しました。`,
    notInstalled: (team) =>
      `${team} にはインストールされていません。一覧は \`kuromajutsu slack workspaces\` で確認できます。`,
  },
  en: {
    noDaemon: (dataDir) =>
      `No daemon runs for ${dataDir}. Start one with \`kuromajutsu serve\`, then run this again.`,
    link: "Give this link to the person who installs the app. It can be used once, within an hour:",
    noWorkspaces: "The app was not installed with a link in any workspace.",
    removed: (team) => `The token of ${team} was deleted.`,
    notInstalled: (team) =>
      `The app is not installed in ${team}; \`kuromajutsu slack workspaces\` lists the workspaces.`,
  },
};

/** undefined: no daemon runs. While one runs, only it may open the database. */
export async function daemonApi(cli: Cli): Promise<Api | undefined> {
  const status = await cli.daemon().ask("status");
  if (!status) return undefined;
  if (status.url === null) throw new Error("The daemon has no HTTP address yet; try again.");
  const { createApi } = await import("./terminal/api.ts");
  return createApi(status.url, {
    token: process.env["KUROMAJUTSU_TOKEN"] || undefined,
    locale: await cli.locale(),
  });
}

export async function listWorkspaces(cli: Cli): Promise<readonly SlackWorkspace[]> {
  const api = await daemonApi(cli);
  if (!api) return (await cli.slackWorkspaces()).list();
  const { listSlackWorkspaces } = await import("../../contract/routes/slack.ts");
  return (await api.call(listSlackWorkspaces)).workspaces;
}

export async function removeWorkspace(cli: Cli, team: string): Promise<boolean> {
  const api = await daemonApi(cli);
  if (!api) return (await cli.slackWorkspaces()).remove(team);
  const { removeSlackWorkspace } = await import("../../contract/routes/slack.ts");
  return (await api.call(removeSlackWorkspace, { params: { id: team } })).removed;
}
