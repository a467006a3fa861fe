import type { SlackThread } from "../../../app/ports/slack-store.ts";
import { runCoalesced } from "../../../base/run-coalesced.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { Task, TaskStatus } from "../../../domain/tasks/task.ts";
import type { Incoming } from "../incoming/context.ts";
import { SlackCallFailed } from "../slack-api.ts";

type Session = "active" | "processing" | "suspended" | "closed";

/** What Slack shows next to the conversation. */
const SESSIONS: Readonly<Record<TaskStatus, Session>> = {
  analyzing: "processing",
  planning: "processing",
  awaiting_prompt_approval: "suspended",
  designing: "processing",
  awaiting_process_approval: "suspended",
  in_progress: "processing",
  blocked: "suspended",
  completed: "active",
  failed: "active",
  cancelled: "closed",
};
const STATUS_TEXTS: Readonly<Record<Locale, Partial<Record<TaskStatus, string>>>> = {
  ja: {
    analyzing: "タスクを分析しています",
    planning: "実行方針を作成しています",
    designing: "実行ステップを作成しています",
    in_progress: "実行しています",
  },
  en: {
    analyzing: "is analyzing the task",
    planning: "is drafting the prompt",
    designing: "is drafting the steps",
    in_progress: "is working",
  },
};
const MAX_TITLE = 200;
/** Errors that will come again: the app or the workspace does not have the feature. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  "unknown_method",
  "feature_disabled",
  "not_allowed_token_type",
  "missing_scope",
  "method_not_supported_for_channel_type",
  "access_denied",
  "no_permission",
  "agent_not_enabled",
]);

/** Shows in direct messages whether the app works or waits. Returns a function that stops it. */
export function showSessionStatus(incoming: Pick<Incoming, "core" | "api">): () => void {
  const { core, api } = incoming;
  /** Methods that a workspace does not have. */
  const missing = new Set<string>();

  async function attempt(
    team: string,
    method: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    if (missing.has(`${team}:${method}`)) return false;
    try {
      await api.call({ team, method, args });
      return true;
    } catch (error) {
      if (!(error instanceof SlackCallFailed)) throw error;
      if (UNSUPPORTED.has(error.code)) missing.add(`${team}:${method}`);
      return false;
    }
  }

  async function show(thread: SlackThread, task: Task): Promise<void> {
    const { team, channel, threadTs, locale, user } = thread;
    const place = { channel_id: channel, thread_ts: threadTs };
    const title = (task.title ?? task.request).slice(0, MAX_TITLE).toWellFormed();
    const session = { status: SESSIONS[task.status], title, initiator_user_id: user };
    const sessions = "agents.sessions.setStatus";
    if (await attempt(team, sessions, { ...place, ...session })) return;
    const status = STATUS_TEXTS[locale][task.status] ?? "";
    await attempt(team, "assistant.threads.setStatus", { ...place, status });
  }

  async function showTask(taskId: string): Promise<void> {
    const threads = await core.store.listSlackThreadsOfTask(taskId);
    const direct = threads.filter(({ channel }) => channel.startsWith("D"));
    const task = direct.length > 0 ? await core.store.getTask(taskId) : undefined;
    for (const thread of direct) if (task) await show(thread, task);
  }

  /** One at a time per task: an older status must not come after a newer one. */
  const showing = new Map<string, () => Promise<void>>();
  const work = (taskId: string) => () =>
    showTask(taskId).catch((error: unknown) => {
      core.log.debug("The status of a conversation was not shown.", { error: String(error) });
    });

  return core.events.on(["task:created", "task:updated"], ({ taskId }) => {
    if (!taskId) return;
    const next = showing.get(taskId) ?? runCoalesced(work(taskId));
    showing.set(taskId, next);
    void next().then(() => showing.delete(taskId));
  });
}
