import { fieldsOf, textOf, type Fields } from "../../../base/narrow.ts";

/** The sender of a request, and the key that all deliveries of this request have. */
export type RequestHead = {
  readonly key: string;
  /** The workspace in which the app is installed. */
  readonly team: string;
  readonly user: string;
  /** The user's own workspace: in a shared channel it may be another one. */
  readonly userTeam: string;
};

/** Events that have an effect; the others are acknowledged and not stored. */
const EVENTS: ReadonlySet<string> = new Set([
  "app_mention",
  "app_home_opened",
  "assistant_thread_started",
  "agent_session_stopped",
  "app_uninstalled",
  "tokens_revoked",
  "subteam_members_changed",
]);

/** Undefined: the request has no effect. Our own updates of messages in a DM come back as events. */
export function readRequest(body: Fields): RequestHead | undefined {
  if (body["type"] === "event_callback") return readEvent(body);
  if (textOf(body["command"]) !== undefined) return readCommand(body);
  return readInteraction(body);
}

function readEvent(body: Fields): RequestHead | undefined {
  const event = fieldsOf(body["event"]);
  if (!isWanted(event)) return undefined;
  const team = installedTeam(body) ?? "";
  const user = textOf(event["user"]) ?? "";
  const home = textOf(event["user_team"]) ?? textOf(event["source_team"]);
  const userTeam = homeTeam(home, team, authorizationIn(body)["enterprise_id"]);
  const id = `ev:${text(body["api_app_id"])}:${text(body["event_id"])}`;
  const key = isMessage(event) ? `msg:${team}:${text(event["channel"])}:${text(event["ts"])}` : id;
  return { key, team, user, userTeam };
}

/** A mention may also arrive as a message, with an id of its own: its place is its key. */
function isMessage({ type }: Fields): boolean {
  return type === "app_mention" || type === "message";
}

function isWanted(event: Fields): boolean {
  const type = text(event["type"]);
  if (type === "message") return isWantedMessage(event);
  return EVENTS.has(type) && !(type === "app_mention" && isByBot(event));
}

/** Messages with files, and replies that are shown in the conversation too. */
const NEW_MESSAGES: ReadonlySet<unknown> = new Set([undefined, "file_share", "thread_broadcast"]);

/** A new message of a person in a DM; edits, deletions and messages of bots have no effect. */
function isWantedMessage(event: Fields): boolean {
  const isNew = NEW_MESSAGES.has(event["subtype"]);
  return event["channel_type"] === "im" && isNew && !isByBot(event);
}

function isByBot(event: Fields): boolean {
  return text(event["bot_id"]) !== "" || event["subtype"] === "bot_message";
}

/** Events of shared channels have the workspace of the channel in `team_id`. */
function installedTeam(body: Fields): string | undefined {
  return textOf(authorizationIn(body)["team_id"]) ?? textOf(body["team_id"]);
}

function authorizationIn(body: Fields): Fields {
  const list = body["authorizations"];
  const [first]: readonly unknown[] = Array.isArray(list) ? list : [];
  return fieldsOf(first);
}

/** A user of an organization may have its id; our own organization counts as the workspace. */
function homeTeam(home: string | undefined, team: string, organization: unknown): string {
  return home === undefined || home === organization ? team : home;
}

function readCommand(body: Fields): RequestHead | undefined {
  const trigger = text(body["trigger_id"]);
  const team = text(body["team_id"]);
  const user = text(body["user_id"]);
  return trigger === "" ? undefined : { key: `cmd:${trigger}`, team, user, userTeam: team };
}

function readInteraction(body: Fields): RequestHead | undefined {
  const view = fieldsOf(body["view"]);
  const sender = fieldsOf(body["user"]);
  const user = text(sender["id"]);
  const team = textOf(view["app_installed_team_id"]) ?? textOf(fieldsOf(body["team"])["id"]) ?? "";
  const { id: organization } = fieldsOf(body["enterprise"]);
  const head = { team, user, userTeam: homeTeam(textOf(sender["team_id"]), team, organization) };
  switch (body["type"]) {
    case "block_actions":
      return { ...head, key: clickKey(body, head) };
    case "view_submission":
      // A modal that showed an error is sent again with the same hash: only the trigger differs.
      return {
        ...head,
        key: `vs:${text(view["id"])}:${text(view["hash"])}:${text(body["trigger_id"])}`,
      };
    case "message_action":
    case "shortcut":
      return {
        ...head,
        key: `sc:${team}:${user}:${text(body["callback_id"])}:${text(body["action_ts"])}`,
      };
    default:
      return undefined;
  }
}

function clickKey(body: Fields, { team, user }: Pick<RequestHead, "team" | "user">): string {
  const container = fieldsOf(body["container"]);
  const place = textOf(container["message_ts"]) ?? text(container["view_id"]);
  const { action_id, action_ts } = actionIn(body);
  return `ba:${team}:${user}:${place}:${text(action_id)}:${text(action_ts)}`;
}

/** Slack may send several actions; Bolt handles the first one only. */
export function actionIn(body: Fields): Fields {
  const list = body["actions"];
  const [first]: readonly unknown[] = Array.isArray(list) ? list : [];
  return fieldsOf(first);
}

function text(value: unknown): string {
  return textOf(value) ?? "";
}
