import type { Generated } from "kysely";
import type {
  SlackCode,
  SlackDelivery,
  SlackMessage,
  SlackThread,
} from "../../../../app/ports/slack-store.ts";
import type { GroupId, TaskId } from "../../../../domain/ids.ts";

export type SlackTables = {
  slack_deliveries: {
    key: string;
    team: string;
    body: string;
    status: SlackDelivery["status"];
    tries: number;
    error: string | null;
    next_at: number;
    at: number;
  };
  slack_threads: {
    team: string;
    channel: string;
    thread_ts: string;
    message_ts: string;
    task_id: TaskId;
    user: string;
    locale: SlackThread["locale"];
    at: number;
    settled: Generated<number>;
  };
  slack_messages: {
    /** Order of insertion. */
    seq: Generated<number>;
    key: string;
    team: string;
    channel: string;
    thread_ts: string | null;
    ts: string | null;
    task_id: TaskId | null;
    group_id: GroupId | null;
    priority: SlackMessage["priority"];
    desired: string;
    desired_hash: string;
    sent_hash: string | null;
    status: SlackMessage["status"];
    tries: number;
    reposts: number;
    error: string | null;
    next_at: number;
    sent_at: number | null;
    created_at: number;
  };
  slack_installations: {
    team: string;
    enterprise: string | null;
    bot_user: string;
    secret: string;
    scopes: string;
    installed_by: string;
    at: number;
  };
  slack_links: { team: string; user: string; person_id: string; at: number };
  slack_codes: { hash: string; purpose: SlackCode["purpose"]; data: string; expires_at: number };
};
