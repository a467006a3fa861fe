/** Calls of Slack's Web API. Every request of ours to Slack goes through it. */
export type SlackApi = {
  /**
   * Calls a method for one workspace, at the pace that Slack allows per workspace and method.
   * Rejects with SlackCallFailed.
   */
  call(call: SlackCall): Promise<SlackAnswer>;
  /** The id of our bot user there; undefined: the app is not installed in this workspace. */
  botUserOf(team: string): Promise<string | undefined>;
};

export type SlackCall = {
  readonly team: string;
  /** Such as `chat.update`. */
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** A person waits for the answer: it goes before all others. */
  readonly isUrgent?: boolean;
};

/** The fields beside `ok`. */
export type SlackAnswer = Readonly<Record<string, unknown>>;

/**
 * `refused`: Slack said no (`code` is Slack's error). `limited`: too many calls. `unreachable`: the
 * request was not sent. `lost`: it was sent and the answer did not come, so it may have taken effect.
 */
export type SlackFailure = "refused" | "limited" | "unreachable" | "lost";

export class SlackCallFailed extends Error {
  readonly failure: SlackFailure;
  readonly code: string;
  readonly retryAfterMs: number | null;

  constructor(failure: SlackFailure, code: string, retryAfterMs: number | null = null) {
    super(`Slack: ${code}`);
    this.failure = failure;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
