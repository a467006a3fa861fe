import { recordAudit } from "../../../app/people/audit.ts";
import { fieldsOf, textOf } from "../../../base/narrow.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import type { Incoming } from "./context.ts";

/** The app was removed from the workspace: forget its tokens, and post nothing more there. */
export async function handleUninstalled({ core }: Incoming, request: SlackRequest): Promise<void> {
  const { team } = request;
  await core.store.transaction(async (unit) => {
    const installed = await unit.getSlackInstallation(team);
    await unit.deleteSlackInstallation(team);
    if (!installed) return;
    const data = { installedBy: installed.installedBy };
    await recordAudit(core, unit, {
      actor: "system",
      action: "slack.uninstalled",
      subject: team,
      data,
    });
  });
  core.log.warn("The app was removed from a Slack workspace.", { team });
}

/** Only the bot's tokens are ours. */
export async function handleTokensRevoked(
  incoming: Incoming,
  request: SlackRequest,
): Promise<void> {
  const tokens = fieldsOf(fieldsOf(request.body["event"])["tokens"]);
  const { bot } = tokens;
  if (Array.isArray(bot) && bot.length > 0) await handleUninstalled(incoming, request);
}

export async function handleGroupChanged(
  { people }: Incoming,
  request: SlackRequest,
): Promise<void> {
  const group = textOf(fieldsOf(request.body["event"])["subteam_id"]);
  if (group !== undefined) people.roster.forgetGroup(request.team, group);
}
