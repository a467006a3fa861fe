import * as z from "zod";
import { isOrigin, list, oneOf } from "../fields.ts";
import { personId } from "./people.ts";

const TEAM_RULE = "the id of a workspace, such as T0123ABCD";
const USER_RULE = "the id of a Slack user, such as U0123ABCD";
const GROUP_RULE = "the id of a Slack user group, such as S0123ABCD";
const CHANNEL_RULE = "the id of a channel, such as C0123ABCD";
const idOf = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

const URL_RULE = "an https address without a path, such as https://kuro.example.com";
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Slack accepts HTTPS only. Loopback addresses are for tests. */
const publicUrl = z
  .string({ error: URL_RULE })
  .refine((url) => isOrigin(url) && (url.startsWith("https://") || LOOPBACK.test(url)), {
    error: URL_RULE,
  });

const team = idOf(/^[TE][A-Z0-9]+$/, TEAM_RULE)
  .exactOptional()
  .describe("The workspace; needed only when the app is installed in several.");

const slackPerson = z.union(
  [
    z.strictObject({
      user: idOf(/^[UW][A-Z0-9]+$/, USER_RULE),
      team,
      person: personId.describe("A person of `auth.users`; `local` when nobody signs in."),
    }),
    z.strictObject({
      usergroup: idOf(/^S[A-Z0-9]+$/, GROUP_RULE),
      team,
      role: oneOf(["viewer", "operator"]).default("operator"),
    }),
  ],
  { error: "{user, person} or {usergroup, role}, each with an optional team" },
);

export const boardSection = z.strictObject(
  {
    channel: idOf(/^[CGD][A-Z0-9]+$/, CHANNEL_RULE).describe("The channel of the message."),
    team,
    groups: oneOf(["all", "sequential", "magentic"])
      .default("all")
      .describe("Which groups of main agents are shown."),
  },
  { error: "a map with the key channel" },
);

export const slackSection = z.strictObject(
  {
    mode: oneOf(["auto", "socket", "http"])
      .default("auto")
      .describe(
        "How Slack reaches the daemon: `socket` needs SLACK_APP_TOKEN, `http` needs SLACK_SIGNING_SECRET and a public address. `auto`: `socket` if SLACK_APP_TOKEN is set.",
      ),
    publicUrl: publicUrl
      .exactOptional()
      .describe(
        "The public address of the daemon: for `http`, and for installing the app in several workspaces.",
      ),
    people: list(slackPerson, "a list of people").describe(
      "People in Slack: `{user: U…, person: id}` is a person of `auth.users`; the members of `{usergroup: S…, role}` act as themselves. Everybody else is refused.",
    ),
    boards: list(boardSection, "a list of channels").describe(
      "Channels that show one message per group that a main agent runs.",
    ),
  },
  { error: "a map of Slack settings" },
);
