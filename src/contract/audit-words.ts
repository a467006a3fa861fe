import { fieldsOf, isRecord, type Fields } from "../base/narrow.ts";
import type { Locale } from "../domain/locale.ts";
import { actorName } from "./actor-name.ts";

/** An entry of the audit, as REST answers it. */
export type AuditedDeed = {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly data: Fields;
};

type Deed = {
  readonly who: string;
  readonly subject: string;
  readonly data: Fields;
  /** The text of a field; empty if it is missing. */
  readonly text: (name: string) => string;
};
type Sentence = (deed: Deed) => string;

/** One sentence for an audit entry, for the dashboard and the terminal. */
export function auditSentence(
  { actor, action, subject, data }: AuditedDeed,
  locale: Locale,
  nameOf: (id: string) => string = (id) => actorName(locale, id),
): string {
  const text = (name: string) => {
    const value = data[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const sentences: Readonly<Record<string, Sentence>> = SENTENCES[locale];
  const say = sentences[action];
  const who = nameOf(actor);
  const sentence = say ? say({ who, subject, data, text }) : `${who}: ${action}`;
  return locale === "en" ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

const KINDS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  ja: {
    prompt: "実行方針",
    process: "実行ステップ",
    step: "ステップの実行",
    unplanned_tool: "計画外のツール",
    call: "ツールの呼び出し",
    question: "エージェントからの質問",
    outcome: "呼び出しの結果の確認",
    merge: "変更の取り込み",
  },
  en: {
    prompt: "the prompt",
    process: "the steps",
    step: "the step",
    unplanned_tool: "an unplanned tool",
    call: "a tool call",
    question: "a question of an agent",
    outcome: "the outcome of a call",
    merge: "the merge of a change",
  },
};

function kindOf(locale: Locale, { text }: Deed): string {
  return KINDS[locale][text("kind")] ?? text("kind");
}

const ROLE = "agent:";

/** `server/tool`, or undefined for a call that hands work to a role. */
function toolOf({ text, subject }: Deed): { readonly tool: string; readonly role: string | null } {
  const name = text("tool");
  if (name.startsWith(ROLE)) return { tool: name, role: name.slice(ROLE.length) };
  const server = text("server");
  return { tool: name === "" ? subject : server === "" ? name : `${server}/${name}`, role: null };
}

function countOf({ data }: Deed, name: string): number {
  const value = data[name];
  return Array.isArray(value) ? value.length : 0;
}

/** The answer to a question, in the choice that was recorded. */
function answerOf({ data }: Deed): string {
  const { choice } = data;
  const answer = isRecord(choice) ? fieldsOf(choice)["answer"] : null;
  return typeof answer === "string" ? answer : "";
}

const jaReason = ({ text }: Deed) => (text("reason") === "" ? "" : `: ${text("reason")}`);
const jaStopped = (deed: Deed) =>
  countOf(deed, "agents") === 0 ? "" : `（エージェント ${countOf(deed, "agents")} 体に通知）`;
const jaCode = ({ text }: Deed) => {
  const code = text("code") === "" ? "" : `（${text("code")}）`;
  return text("repeated") === "" ? code : `${code} 同じ拒否がほかに ${text("repeated")} 回`;
};
const enReason = ({ text }: Deed) => (text("reason") === "" ? "" : `: ${text("reason")}`);
const enStopped = (deed: Deed) => {
  const count = countOf(deed, "agents");
  if (count === 0) return "";
  return count === 1 ? " (1 agent notified)" : ` (${count} agents notified)`;
};
const enCode = ({ text }: Deed) => {
  const code = text("code") === "" ? "" : ` (${text("code")})`;
  const more = text("repeated");
  if (more === "") return code;
  return more === "1" ? `${code}, and 1 more time` : `${code}, and ${more} more times`;
};

const SENTENCES: Readonly<Record<Locale, Readonly<Record<string, Sentence>>>> = {
  ja: {
    "task.created": ({ who, text }) => `${who} がタスクを依頼しました: ${text("request")}`,
    "task.blocked": (deed) =>
      `${deed.who} がタスクをブロックしました${jaReason(deed)}${jaStopped(deed)}`,
    "task.unblocked": (deed) => `${deed.who} がブロックを解除しました${jaReason(deed)}`,
    "task.cancelled": (deed) =>
      `${deed.who} がタスクを中止しました${jaReason(deed)}${jaStopped(deed)}`,
    "task.retried": (deed) => `${deed.who} が失敗したタスクを再実行しました${jaReason(deed)}`,
    "approval.decided": (deed) => jaDecision(deed),
    "approval.voted": (deed) => `${deed.who} が${kindOf("ja", deed)}に 1 票を入れました`,
    "approval.refused": (deed) => `${deed.who} の決定は拒否されました${jaCode(deed)}`,
    "approval.expired": (deed) => `${kindOf("ja", deed)}の承認は、期限までに決定されませんでした`,
    "approval.extended": ({ who }) => `${who} が承認の期限を延ばしました`,
    "agent.hard_stopped": ({ subject }) =>
      `${subject} は期限までに停止を報告しなかったため、強制停止しました`,
    "tool.forwarded": (deed) => {
      const { tool, role } = toolOf(deed);
      return role === null
        ? `${deed.who} がツール ${tool} を呼び出しました`
        : `${deed.who} が職種 ${role} に仕事を任せました`;
    },
    "tool.outcome_unknown": (deed) => `ツール ${toolOf(deed).tool} の応答が失われました`,
    "tool.confirmed": ({ who }) => `${who} が、応答の失われた呼び出しは実行済みだと答えました`,
    "tool.denied": ({ who }) => `${who} が、応答の失われた呼び出しは実行されていないと答えました`,
    "tool.pinned": ({ subject }) => `ツール ${subject} の定義を登録しました`,
    "tool.accepted": ({ who, subject }) =>
      `${who} がツール ${subject} の新しい定義を受け入れました`,
    "tool.refused": (deed) =>
      `${deed.who} によるツール ${deed.subject} の呼び出しは拒否されました${jaCode(deed)}`,
    "request.refused": (deed) =>
      `${deed.who} の操作 ${deed.subject} は拒否されました${jaCode(deed)}`,
    "config.trusted": ({ who }) => `${who} が設定ファイルを信頼しました`,
    "config.trust_changed": () => "設定ファイルのうち、使われる範囲が変わりました",
    "audit.anchored": ({ who }) => `${who} が監査ログの先頭を記録し直しました`,
    "slack.message_failed": ({ text }) => `Slack に表示できませんでした: ${text("error")}`,
    "slack.message_reposted": () => "消えたメッセージを Slack に投稿し直しました",
    "slack.card_simplified": () => "Slack がカードを受け付けないため、短い形で表示しました",
    "slack.linked": ({ who }) => `${who} が Slack のアカウントを結び付けました`,
    "slack.refused": (deed) => `${deed.who} の Slack からの操作は拒否されました${jaReason(deed)}`,
    "slack.link_created": ({ who }) => `${who} が Slack へのインストール用リンクを作りました`,
    "slack.installed": ({ who, subject }) =>
      `${who} がワークスペース ${subject} にアプリを入れました`,
    "slack.removed": ({ who, subject }) => `${who} がワークスペース ${subject} を外しました`,
    "slack.uninstalled": ({ subject }) => `ワークスペース ${subject} からアプリが削除されました`,
    "data.restored": () => "データをバックアップから復元しました",
    "schedule.created": ({ who }) => `${who} がスケジュールを作りました`,
    "schedule.changed": ({ who }) => `${who} がスケジュールを変えました`,
    "schedule.paused": (deed) => `${deed.who} がスケジュールを休止しました${jaReason(deed)}`,
    "schedule.resumed": ({ who }) => `${who} がスケジュールを再開しました`,
    "schedule.removed": ({ who }) => `${who} がスケジュールを削除しました`,
    "template.saved": ({ who, subject }) => `${who} がテンプレート ${subject} を保存しました`,
    "template.removed": ({ who, subject }) => `${who} がテンプレート ${subject} を削除しました`,
    "agent.host_lost": ({ subject, text }) =>
      `${subject} を動かしていたサーバーまたはワーカーがなくなったため、${subject} を待ち行列に戻しました（${text("attempt")} 回目の起動）`,
    "worker.added": ({ who, text }) => `${who} がワーカー ${text("name")} を加えました`,
    "worker.revoked": ({ who, text }) => `${who} がワーカー ${text("name")} を取り消しました`,
    "job.retried": ({ who, text }) =>
      `${who} が、あきらめたジョブ ${text("count")} 件をキューに戻しました`,
    "merge.requested": ({ who, text }) =>
      `${who} が ${text("agentId")} の変更（バージョン ${text("version")}）を ${text("target")} に取り込む承認を求めました`,
    "merge.landed": ({ text }) =>
      `${text("agentId")} の変更（バージョン ${text("version")}）を ${text("target")} に取り込みました`,
    "merge.cancelled": ({ who, text }) => `${who} が ${text("target")} への取り込みを中止しました`,
    "merge.retried": ({ who, text }) => `${who} が ${text("target")} への取り込みを再試行しました`,
    "merge.undone": ({ who, text }) => `${who} が ${text("target")} への取り込みを取り消しました`,
    "change.sent_back": ({ who, subject, text }) =>
      `${who} が ${subject} の変更（バージョン ${text("version")}）を差し戻しました（コメント ${text("comments")} 件）`,
    "change.discarded": (deed) =>
      `${deed.who} が ${deed.text("agentId")} の変更を破棄しました${jaReason(deed)}`,
    "change.pull_request": ({ who, text }) =>
      `${who} が ${text("agentId")} の変更のプルリクエストを開きました: ${text("url")}`,
    "person.signed_in": ({ who }) => `${who} がサインインしました`,
    "person.signed_out": ({ who }) => `${who} がサインアウトしました`,
    "person.sign_in_failed": (deed) => {
      const from = deed.text("address");
      return `サインインに失敗しました${from === "" ? "" : `（接続元: ${from}）`}${jaCode(deed)}`;
    },
  },
  en: {
    "task.created": ({ who, text }) => `${who} requested a task: ${text("request")}`,
    "task.blocked": (deed) => `${deed.who} blocked the task${enReason(deed)}${enStopped(deed)}`,
    "task.unblocked": (deed) => `${deed.who} unblocked the task${enReason(deed)}`,
    "task.cancelled": (deed) => `${deed.who} cancelled the task${enReason(deed)}${enStopped(deed)}`,
    "task.retried": (deed) => `${deed.who} retried the failed task${enReason(deed)}`,
    "approval.decided": (deed) => enDecision(deed),
    "approval.voted": (deed) => `${deed.who} voted on ${kindOf("en", deed)}`,
    "approval.refused": (deed) => `the decision of ${deed.who} was refused${enCode(deed)}`,
    "approval.expired": (deed) => `no decision on ${kindOf("en", deed)} was made in time`,
    "approval.extended": ({ who }) => `${who} extended the deadline of an approval`,
    "agent.hard_stopped": ({ subject }) =>
      `${subject} did not report its stop in time and was force-stopped`,
    "tool.forwarded": (deed) => {
      const { tool, role } = toolOf(deed);
      return role === null
        ? `${deed.who} called the tool ${tool}`
        : `${deed.who} handed work to the role ${role}`;
    },
    "tool.outcome_unknown": (deed) => `the answer of the tool ${toolOf(deed).tool} was lost`,
    "tool.confirmed": ({ who }) => `${who} said that the call whose answer was lost took effect`,
    "tool.denied": ({ who }) => `${who} said that the call whose answer was lost took no effect`,
    "tool.pinned": ({ subject }) => `the definition of the tool ${subject} was registered`,
    "tool.accepted": ({ who, subject }) =>
      `${who} accepted the new definition of the tool ${subject}`,
    "tool.refused": (deed) =>
      `${deed.who} was refused a call of the tool ${deed.subject}${enCode(deed)}`,
    "request.refused": (deed) => `${deed.who} was refused ${deed.subject}${enCode(deed)}`,
    "config.trusted": ({ who }) => `${who} trusted the configuration file`,
    "config.trust_changed": () => "the part of the configuration file that is used has changed",
    "audit.anchored": ({ who }) => `${who} recorded a new head of the audit log`,
    "slack.message_failed": ({ text }) => `a message could not be shown in Slack: ${text("error")}`,
    "slack.message_reposted": () => "a message that was gone was posted in Slack again",
    "slack.card_simplified": () => "Slack refused a card, so its short form is shown",
    "slack.linked": ({ who }) => `${who} linked their Slack account`,
    "slack.refused": (deed) => `${deed.who} was refused in Slack${enReason(deed)}`,
    "slack.link_created": ({ who }) => `${who} made a link for installing the Slack app`,
    "slack.installed": ({ who, subject }) => `${who} installed the app in the workspace ${subject}`,
    "slack.removed": ({ who, subject }) => `${who} removed the workspace ${subject}`,
    "slack.uninstalled": ({ subject }) => `the app was removed from the workspace ${subject}`,
    "data.restored": () => "the data was restored from a backup",
    "schedule.created": ({ who }) => `${who} created a schedule`,
    "schedule.changed": ({ who }) => `${who} changed a schedule`,
    "schedule.paused": (deed) => `${deed.who} paused a schedule${enReason(deed)}`,
    "schedule.resumed": ({ who }) => `${who} resumed a schedule`,
    "schedule.removed": ({ who }) => `${who} removed a schedule`,
    "template.saved": ({ who, subject }) => `${who} saved the template ${subject}`,
    "template.removed": ({ who, subject }) => `${who} removed the template ${subject}`,
    "agent.host_lost": ({ subject, text }) =>
      `The server or worker that ran ${subject} is gone, so ${subject} went back to the queue (attempt ${text("attempt")})`,
    "worker.added": ({ who, text }) => `${who} added the worker ${text("name")}`,
    "worker.revoked": ({ who, text }) => `${who} revoked the worker ${text("name")}`,
    "job.retried": ({ who, text }) =>
      text("count") === "1"
        ? `${who} put a job that was given up back into the queue`
        : `${who} put ${text("count")} jobs that were given up back into the queue`,
    "merge.requested": ({ who, text }) =>
      `${who} asked to merge the change of ${text("agentId")} (version ${text("version")}) into ${text("target")}`,
    "merge.landed": ({ text }) =>
      `the change of ${text("agentId")} (version ${text("version")}) landed on ${text("target")}`,
    "merge.cancelled": ({ who, text }) => `${who} cancelled a merge into ${text("target")}`,
    "merge.retried": ({ who, text }) => `${who} retried a merge into ${text("target")}`,
    "merge.undone": ({ who, text }) => `${who} undid a merge into ${text("target")}`,
    "change.sent_back": ({ who, subject, text }) =>
      `${who} sent the change of ${subject} back (version ${text("version")}, comments: ${text("comments")})`,
    "change.discarded": (deed) =>
      `${deed.who} discarded the change of ${deed.text("agentId")}${enReason(deed)}`,
    "change.pull_request": ({ who, text }) =>
      `${who} opened a pull request for the change of ${text("agentId")}: ${text("url")}`,
    "person.signed_in": ({ who }) => `${who} signed in`,
    "person.signed_out": ({ who }) => `${who} signed out`,
    "person.sign_in_failed": (deed) => {
      const from = deed.text("address");
      return `a sign-in failed${from === "" ? "" : ` (from ${from})`}${enCode(deed)}`;
    },
  },
};

function jaDecision(deed: Deed): string {
  const answer = answerOf(deed);
  if (deed.text("kind") === "question" && answer !== "") {
    return `${deed.who} がエージェントからの質問に答えました: ${answer}`;
  }
  const did = deed.text("decision") === "approve" ? "承認" : "却下";
  return `${deed.who} が${kindOf("ja", deed)}を${did}しました${jaReason(deed)}`;
}

function enDecision(deed: Deed): string {
  const answer = answerOf(deed);
  if (deed.text("kind") === "question" && answer !== "") {
    return `${deed.who} answered a question of an agent: ${answer}`;
  }
  const did = deed.text("decision") === "approve" ? "approved" : "rejected";
  return `${deed.who} ${did} ${kindOf("en", deed)}${enReason(deed)}`;
}
