import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "./audit.ts";
import { requirePerson } from "./require-person.ts";

const LINK_VALID_MS = 60 * 60_000;

export type InstallLink = { readonly url: string; readonly expiresAt: number };

/**
 * A link with which a person without an account here may install the app in one workspace. Only the
 * hash of its code is stored.
 */
export async function createInstallLink(core: Core, identity: Identity): Promise<InstallLink> {
  const { id } = requirePerson(identity, "admin");
  const { slackInstallUrl } = core.settings;
  if (slackInstallUrl === null) {
    throw new Refusal("NOT_ALLOWED", {
      en: [
        "The app cannot be installed by a link here.",
        "Set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET, write slack.publicUrl into the configuration, and restart the daemon; docs/slack.md says more.",
      ],
      ja: [
        "ここでは、リンクからアプリをインストールできません。",
        "SLACK_CLIENT_ID と SLACK_CLIENT_SECRET を設定し、slack.publicUrl を設定ファイルに書いて、デーモンを再起動してください。docs/slack.md に説明があります。",
      ],
    });
  }
  const code = core.tokens.create();
  const expiresAt = core.clock.now() + LINK_VALID_MS;
  await core.store.transaction(async (unit) => {
    const hash = installLinkHash(core, code);
    await unit.insertSlackCode({ hash, purpose: "install", data: id, expiresAt });
    await recordAudit(core, unit, { actor: id, action: "slack.link_created", subject: "slack" });
  });
  return { url: `${slackInstallUrl}?link=${code}`, expiresAt };
}

export function installLinkHash({ tokens }: Pick<Core, "tokens">, code: string): string {
  return tokens.hash(`slack-install-link:${code}`);
}

/** Deletes the token of a workspace. False: the app is not installed there. */
export async function removeSlackWorkspace(
  core: Pick<Core, "store" | "clock">,
  actor: string,
  team: string,
): Promise<boolean> {
  return core.store.transaction(async (unit) => {
    if (!(await unit.getSlackInstallation(team))) return false;
    await unit.deleteSlackInstallation(team);
    await recordAudit(core, unit, { actor, action: "slack.removed", subject: team });
    return true;
  });
}
