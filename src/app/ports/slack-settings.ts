import type { SlackProblem } from "../../contract/slack-problems.ts";

/** The variables `SLACK_*`. They are sent only to Slack, and never logged or stored. */
export type SlackSecrets = {
  /** `xoxb-…`, for an app that is installed in one workspace. */
  readonly botToken: string | undefined;
  /** `xapp-…`, for Socket Mode. */
  readonly appToken: string | undefined;
  /** For HTTP mode. */
  readonly signingSecret: string | undefined;
  /** For an app that is installed in several workspaces. */
  readonly client: { readonly id: string; readonly secret: string } | undefined;
  /** The address of the Web API, with a slash at the end. */
  readonly apiUrl: string;
};

export type SlackMode = "socket" | "http";

/**
 * `off`: Slack is not set up; `unused` names the variables that are set but not enough. `wrong`: the
 * settings contradict each other, so no daemon starts.
 */
export type SlackState =
  | { readonly kind: "off"; readonly unused: readonly string[] }
  | { readonly kind: "on"; readonly mode: SlackMode; readonly secrets: SlackSecrets }
  | { readonly kind: "wrong"; readonly problems: readonly SlackProblem[] };
