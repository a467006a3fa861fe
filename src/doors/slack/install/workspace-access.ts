import { textOf } from "../../../base/narrow.ts";
import { askSlack, type AskSlack } from "../setup/ask-slack.ts";
import { SlackCallFailed } from "../slack-api.ts";
import type { Installations, SlackAccess } from "./installations.ts";

export type OwnWorkspace = SlackAccess & { readonly team: string };

export type WorkspaceAccessOptions = {
  /** SLACK_BOT_TOKEN. */
  readonly botToken: string | undefined;
  readonly apiUrl: string;
  readonly installations: Pick<Installations, "accessOf">;
};

/** The token for each workspace: SLACK_BOT_TOKEN for its own, else that of the installation. */
export function createWorkspaceAccess(options: WorkspaceAccessOptions) {
  const { botToken, apiUrl, installations } = options;
  let own: Promise<OwnWorkspace> | undefined;

  /** The workspace of SLACK_BOT_TOKEN. A failure is not cached. Rejects with SlackCallFailed. */
  async function ownWorkspace(): Promise<OwnWorkspace | undefined> {
    if (botToken === undefined) return undefined;
    own ??= askOwn({ apiUrl, token: botToken }, botToken);
    try {
      return await own;
    } catch (error) {
      own = undefined;
      throw error;
    }
  }

  return {
    ownWorkspace,
    /** undefined: the app is not installed there. */
    async accessOf(team: string): Promise<SlackAccess | undefined> {
      const found = await ownWorkspace();
      return found?.team === team ? found : installations.accessOf(team);
    },
  };
}

async function askOwn(access: AskSlack, token: string): Promise<OwnWorkspace> {
  const reply = await askSlack(access, "auth.test");
  if (!reply.ok) throw failed(reply.code);
  const [team, botUser] = [textOf(reply.fields["team_id"]), textOf(reply.fields["user_id"])];
  if (team === undefined || botUser === undefined) throw failed("unreadable_answer");
  return { team, botUser, token };
}

function failed(code: string): SlackCallFailed {
  if (code === "ratelimited") return new SlackCallFailed("limited", code);
  const isDown = code === "unreachable" || code.startsWith("http_");
  return new SlackCallFailed(isDown ? "unreachable" : "refused", code);
}
