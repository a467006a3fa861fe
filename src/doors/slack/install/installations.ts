import type { Core } from "../../../app/core.ts";
import { recordAudit } from "../../../app/people/audit.ts";
import { removeSlackWorkspace } from "../../../app/people/slack-workspaces.ts";
import type { SlackKey } from "../../../app/ports/slack-key.ts";
import type { SlackInstallation } from "../../../app/ports/slack-store.ts";
import { seal, unseal } from "./seal.ts";

/** What the app may use in one workspace. */
export type SlackAccess = {
  /** Secret. */
  readonly token: string;
  readonly botUser: string;
};

export type NewInstallation = Omit<SlackInstallation, "secret" | "at"> & {
  /** The bot token. */
  readonly token: string;
};

export type Installations = {
  /** undefined: the app is not installed there. Rejects with WrongSlackKey. */
  accessOf(team: string): Promise<SlackAccess | undefined>;
  tokenFor(team: string): Promise<string | undefined>;
  /** Replaces an earlier installation in the same workspace. */
  put(installation: NewInstallation, actor: string): Promise<void>;
  /** False: the app was not installed there. */
  remove(team: string, actor: string): Promise<boolean>;
  /** Rejects with WrongSlackKey if a token cannot be decrypted. */
  check(): Promise<void>;
};

/** The key is missing, or is not the one that the stored tokens were encrypted with. */
export class WrongSlackKey extends Error {
  constructor(path: string, teams: readonly string[]) {
    super(
      `The tokens of the Slack workspaces ${teams.join(", ")} cannot be decrypted with the key ${path}. ` +
        "Put the old key back; or remove the workspaces with `kuromajutsu slack remove <team>`, and install the app there again with `kuromajutsu slack install-link`.",
    );
    this.name = "WrongSlackKey";
  }
}

export type InstallationsOptions = {
  readonly core: Pick<Core, "store" | "clock">;
  readonly key: SlackKey;
};

/** The workspaces in which the app was installed with OAuth, with encrypted tokens. */
export function createInstallations({ core, key }: InstallationsOptions): Installations {
  const { store } = core;
  function open({ team, secret }: SlackInstallation): string | undefined {
    const bytes = key.read();
    return bytes && unseal(bytes, team, secret);
  }
  async function accessOf(team: string): Promise<SlackAccess | undefined> {
    const found = await store.getSlackInstallation(team);
    if (!found) return undefined;
    const token = open(found);
    if (token === undefined) throw new WrongSlackKey(key.path, [team]);
    return { token, botUser: found.botUser };
  }
  async function check(): Promise<void> {
    const all = await store.listSlackInstallations();
    const closed = all.filter((each) => open(each) === undefined);
    if (closed.length > 0)
      throw new WrongSlackKey(
        key.path,
        closed.map(({ team }) => team),
      );
  }
  return {
    accessOf,
    tokenFor: async (team) => (await accessOf(team))?.token,
    async put({ token, ...installation }, actor) {
      const { team, scopes, installedBy } = installation;
      // A new key would make the tokens of the other workspaces unreadable for good.
      await check();
      const secret = seal(key.read() ?? key.create(), team, token);
      await store.transaction(async (unit) => {
        await unit.putSlackInstallation({ ...installation, secret, at: core.clock.now() });
        await recordAudit(core, unit, {
          actor,
          action: "slack.installed",
          subject: team,
          data: { installedBy, scopes },
        });
      });
    },
    remove: (team, actor) => removeSlackWorkspace(core, actor, team),
    check,
  };
}
