import type { Core } from "../../../app/core.ts";
import type { AlertMessage, AlertTarget, SendResult } from "../../../app/ports/alert-target.ts";
import { messageText } from "../../../domain/alerts/alert-texts.ts";
import { escapeText } from "../text/escape.ts";
import { usersOf, type PersonViews } from "./person-views.ts";
import type { SlackOutgoing } from "./start-slack-outgoing.ts";

export type SlackAlertTarget = PersonViews & {
  readonly core: Pick<Core, "people" | "store">;
  /** The workspace of SLACK_BOT_TOKEN. */
  readonly homeTeam: () => Promise<string | undefined>;
  readonly outgoing: Pick<SlackOutgoing, "postText">;
};

const PERSON = "person:";

/**
 * Alerts for a channel (`#ops`) or a person (`person:<id>`). They count as sent once the message is
 * stored: the outbox sends it, and says why it could not.
 */
export function createSlackAlertTarget(options: SlackAlertTarget): AlertTarget {
  return {
    async send(address, message) {
      const team = await teamOf(options);
      if (team === undefined) return final(NO_TEAM);
      const channel = address.startsWith(PERSON)
        ? await onlyUser(options, team, address.slice(PERSON.length))
        : address;
      if (channel === undefined) return final(NO_USER);
      await options.outgoing.postText({ team, channel, text: textOf(message), key: message.id });
      return { isSent: true };
    },
  };
}

const NO_TEAM =
  "The app is in several Slack workspaces, and alerts do not name one: set SLACK_BOT_TOKEN to the token of the workspace for alerts.";
const NO_USER =
  "No Slack user, or more than one, is this person: name one in slack.people, or link it with `/kuro link`.";

function final(reason: string): SendResult {
  return { isSent: false, reason, isFinal: true };
}

async function teamOf({ core, homeTeam }: SlackAlertTarget): Promise<string | undefined> {
  const home = await homeTeam();
  if (home !== undefined) return home;
  const [first, ...others] = await core.store.listSlackInstallations();
  return others.length === 0 ? first?.team : undefined;
}

async function onlyUser(
  { core, people }: SlackAlertTarget,
  team: string,
  personId: string,
): Promise<string | undefined> {
  const [user, ...others] = await usersOf(core, people(), team, personId);
  return others.length === 0 ? user : undefined;
}

/** The titles and details are texts of people and agents: Slack must find nothing in them. */
function textOf(message: AlertMessage): string {
  const urls = message.alerts.flatMap(({ url }) => (url === null ? [] : [`<${url}>`]));
  return [escapeText(messageText(message)), ...new Set(urls)].join("\n");
}
