import type { Alert } from "../../domain/alerts/alert.ts";
import type { AlertMessageId } from "../../domain/ids.ts";
import type { Locale } from "../../domain/locale.ts";

/** What is sent: one alert, or several that are due at the same time. */
export type AlertMessage = {
  /** The same in every try: a receiver that has it already ignores the message. */
  readonly id: AlertMessageId;
  readonly alerts: readonly SentAlert[];
  readonly locale: Locale;
  /** When the message is sent. */
  readonly at: number;
  /** Sent by `kuromajutsu alerts test`. */
  readonly isTest: boolean;
};

export type SentAlert = Pick<
  Alert,
  | "id"
  | "kind"
  | "taskId"
  | "groupId"
  | "agentId"
  | "approvalId"
  | "title"
  | "detail"
  | "requester"
  | "recipients"
  | "createdAt"
> & {
  /** The page of the dashboard, such as `/tasks/task-…`. */
  readonly path: string;
  /** The address of that page; null: `alerts.dashboardUrl` is not set. */
  readonly url: string | null;
};

export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      /** For people: what happened and what to do. Never the whole answer of the receiver. */
      readonly reason: string;
      /** Trying again is useless. */
      readonly isFinal?: boolean;
      /** The receiver asks for this wait before the next try. */
      readonly retryAfterMs?: number;
    };

/** A place that alerts are sent to: webhooks, Slack, browsers. */
export type AlertTarget = {
  /**
   * `address` is the part of the target after the colon: `ops` of `webhook:ops`. A rejection counts
   * as a failed try. Called for one message of a target at a time.
   */
  send(address: string, message: AlertMessage, signal: AbortSignal): Promise<SendResult>;
};
