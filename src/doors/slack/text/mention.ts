import { shortLine } from "./short-line.ts";

/** A person as a card names them. */
export type PersonView = {
  readonly name: string;
  /** Known if the person is mapped to a Slack user of this workspace. */
  readonly slackUserId?: string;
};

const SLACK_USER_ID = /^[UW][A-Z0-9]{1,30}$/;
const MAX_NAME_CHARS = 80;

/** A mention if the Slack user is known, else the name. */
export function mention({ name, slackUserId }: PersonView): string {
  if (slackUserId !== undefined && SLACK_USER_ID.test(slackUserId)) return `<@${slackUserId}>`;
  return shortLine(name, MAX_NAME_CHARS);
}
