import type { GroupId, TaskId } from "../../domain/ids.ts";

/** A request of Slack, stored before it is acknowledged, so that a crash does not lose it. */
export type SlackDelivery = {
  /** Slack may deliver the same request several times; all of them have the same key. */
  readonly key: string;
  readonly team: string;
  /** The body as JSON, without Slack's verification token. */
  readonly body: string;
  readonly status: "new" | "done" | "failed";
  readonly tries: number;
  readonly error: string | null;
  /** While it is new: when to handle it again. */
  readonly nextAt: number;
  readonly at: number;
};

/** The thread in which the cards of a task are shown. Later tasks may have the same thread. */
export type SlackThread = {
  readonly team: string;
  readonly channel: string;
  /** `ts` of the first message of the thread. */
  readonly threadTs: string;
  /** `ts` of the message that asked for the task; left out: the first message of the thread. */
  readonly messageTs?: string;
  readonly taskId: TaskId;
  /** The Slack user who asked. */
  readonly user: string;
  readonly locale: "ja" | "en";
  readonly at: number;
};

/**
 * A message of ours. Only the newest rendering is kept: it is sent while `desiredHash` differs from
 * `sentHash`.
 */
export type SlackMessage = {
  /** `card:<task>:<kind>:<version>` or `board:<group>:<channel>`; also in the message's metadata. */
  readonly key: string;
  readonly team: string;
  readonly channel: string;
  readonly threadTs: string | null;
  /** null until Slack has answered the first post. */
  readonly ts: string | null;
  readonly taskId: TaskId | null;
  readonly groupId: GroupId | null;
  /** 0: a person is needed; 1: a final state; 2: a new message; 3: progress. */
  readonly priority: 0 | 1 | 2 | 3;
  /** What to show, as JSON: `{attachments}`, `{text, blocks}` or `{snippet}`. */
  readonly desired: string;
  readonly desiredHash: string;
  readonly sentHash: string | null;
  /**
   * `posting`: posted, and the answer is not stored yet; after a crash the channel is searched for
   * it. `dead`: it can never be sent.
   */
  readonly status: "new" | "posting" | "posted" | "dead";
  /** Failed calls in a row. */
  readonly tries: number;
  /** How often it was posted again, because the first post was deleted or could not be found. */
  readonly reposts: number;
  readonly error: string | null;
  readonly nextAt: number;
  readonly sentAt: number | null;
  readonly createdAt: number;
};

export type SlackInstallation = {
  readonly team: string;
  readonly enterprise: string | null;
  readonly botUser: string;
  /** The tokens, encrypted. */
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly installedBy: string;
  readonly at: number;
};

/** A Slack user who has proved to be a person of `auth.users`. */
export type SlackLink = {
  readonly team: string;
  readonly user: string;
  readonly personId: string;
  readonly at: number;
};

/** A secret for one use: the code of `/kuro link`, or the state of an installation. */
export type SlackCode = {
  readonly hash: string;
  readonly purpose: "link" | "install";
  /** For a link: the id of the person. */
  readonly data: string;
  readonly expiresAt: number;
};

export type SlackQueries = {
  getSlackDelivery(key: string): Promise<SlackDelivery | undefined>;
  /** New ones that are due, oldest first. */
  listDueSlackDeliveries(now: number, limit: number): Promise<readonly SlackDelivery[]>;
  /** The newest task of the thread. */
  getSlackThread(team: string, channel: string, threadTs: string): Promise<SlackThread | undefined>;
  /** The task that this message asked for. */
  getSlackRequest(
    team: string,
    channel: string,
    messageTs: string,
  ): Promise<SlackThread | undefined>;
  listSlackThreadsOfTask(taskId: string): Promise<readonly SlackThread[]>;
  /** Threads whose last cards are not stored yet, oldest first. */
  listOpenSlackThreads(): Promise<readonly SlackThread[]>;
  getSlackMessage(key: string): Promise<SlackMessage | undefined>;
  findSlackMessage(team: string, channel: string, ts: string): Promise<SlackMessage | undefined>;
  /** In the order of their creation. */
  listSlackMessagesOfTask(taskId: string): Promise<readonly SlackMessage[]>;
  /** Messages that are not sent as they should be, and not dead; most urgent first, then oldest. */
  listUnsentSlackMessages(limit: number): Promise<readonly SlackMessage[]>;
  /** Messages about groups that do not show a final state, and are not dead. */
  listOpenSlackBoards(): Promise<readonly SlackMessage[]>;
  getSlackInstallation(team: string): Promise<SlackInstallation | undefined>;
  listSlackInstallations(): Promise<readonly SlackInstallation[]>;
  getSlackLink(team: string, user: string): Promise<SlackLink | undefined>;
  listSlackLinks(personId: string): Promise<readonly SlackLink[]>;
};

export type SlackChanges = {
  /** False: the same request was delivered before. */
  insertSlackDelivery(delivery: SlackDelivery): Promise<boolean>;
  updateSlackDelivery(
    key: string,
    change: Pick<SlackDelivery, "status" | "tries" | "error" | "nextAt">,
  ): Promise<void>;
  /** Deletes those that are done or failed. */
  deleteSlackDeliveriesBefore(at: number): Promise<void>;
  /** False: the message has asked for a task before. */
  insertSlackThread(thread: SlackThread): Promise<boolean>;
  /** Settled: the task has ended, and its messages say so. */
  settleSlackThread(taskId: TaskId, isSettled: boolean): Promise<void>;
  /** Replaces the message with the same key, if any. */
  putSlackMessage(message: SlackMessage): Promise<void>;
  putSlackInstallation(installation: SlackInstallation): Promise<void>;
  /** Also ends the messages of the workspace: they can no longer be sent. */
  deleteSlackInstallation(team: string): Promise<void>;
  putSlackLink(link: SlackLink): Promise<void>;
  deleteSlackLink(team: string, user: string): Promise<void>;
  insertSlackCode(code: SlackCode): Promise<void>;
  /** Deletes the code and returns it; undefined if there is none, or it has expired. */
  takeSlackCode(hash: string, now: number): Promise<SlackCode | undefined>;
};
