import { isRecord, type Fields } from "../base/narrow.ts";
import type { Locale } from "../domain/locale.ts";

export type AuditField = {
  readonly name: string;
  readonly label: string;
  /** Several: one per line. */
  readonly values: readonly string[];
};

/** The data of an audit entry as labelled texts, in the order a reader needs them. Nothing is left out but empty values. */
export function auditFields(data: Fields, locale: Locale): readonly AuditField[] {
  const flat = Object.entries(data).flatMap(([name, value]) =>
    // A decision has one small record with its details.
    name === "choice" && isRecord(value) ? Object.entries(value) : [[name, value] as const],
  );
  return flat
    .map(([name, value]) => ({
      name,
      label: LABELS[locale][name] ?? name,
      values: valuesOf(name, value, locale),
    }))
    .filter(({ values }) => values.length > 0)
    .toSorted((one, other) => rankOf(one.name) - rankOf(other.name));
}

const ORDER = ["reason", "request", "decision", "answer", "code", "error", "agents", "tool"];

/** Hashes are proofs for machines, so they come last. */
function rankOf(name: string): number {
  if (/hash$/i.test(name)) return ORDER.length + 1;
  const place = ORDER.indexOf(name);
  return place === -1 ? ORDER.length : place;
}

function valuesOf(name: string, value: unknown, locale: Locale): readonly string[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf("", item, locale));
  if (isRecord(value)) {
    const parts = Object.entries(value).flatMap(([key, part]) =>
      valuesOf(key, part, locale).map((text) => `${LABELS[locale][key] ?? key}: ${text}`),
    );
    return parts.length === 0 ? [] : [parts.join(" · ")];
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return [VALUES[locale][`${name}=${text}`] ?? text];
}

const LABELS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  ja: {
    address: "接続元",
    afterMs: "待った時間 (ミリ秒)",
    agentId: "エージェント",
    agents: "停止するエージェント",
    answer: "回答",
    approvalId: "承認",
    argsHash: "引数のハッシュ",
    before: "変更前のハッシュ",
    calls: "取り消した呼び出し",
    channel: "チャンネル",
    code: "拒否の理由",
    createdAt: "作成日時",
    decision: "決定",
    door: "入口",
    error: "エラー",
    executionId: "実行",
    failure: "失敗",
    from: "変更前の期限",
    hash: "ハッシュ",
    inUse: "使われている版",
    installedBy: "インストールした人",
    key: "メッセージ",
    kind: "種類",
    message: "内容",
    notifications: "停止の通知",
    onReject: "却下したとき",
    powers: "許可した項目",
    reason: "理由",
    repeated: "同じ拒否の回数",
    request: "依頼",
    requestHash: "依頼のハッシュ",
    requester: "依頼者",
    template: "テンプレート",
    valuesHash: "値のハッシュ",
    scope: "範囲",
    scopes: "権限",
    server: "サーバー",
    shownHash: "表示した内容のハッシュ",
    stage: "段階",
    status: "状態",
    stepId: "ステップ",
    taskId: "タスク",
    team: "ワークスペース",
    tool: "ツール",
    tried: "しようとした操作",
    type: "種類",
    until: "新しい期限",
    user: "Slack の利用者",
    version: "版",
    workingDirectory: "作業ディレクトリ",
  },
  en: {
    address: "From",
    afterMs: "Waited (ms)",
    agentId: "Agent",
    agents: "Agents to stop",
    answer: "Answer",
    approvalId: "Approval",
    argsHash: "Hash of the arguments",
    before: "Hash before",
    calls: "Cancelled calls",
    channel: "Channel",
    code: "Refused because",
    createdAt: "Created",
    decision: "Decision",
    door: "Door",
    error: "Error",
    executionId: "Execution",
    failure: "Failure",
    from: "Deadline before",
    hash: "Hash",
    inUse: "Version in use",
    installedBy: "Installed by",
    key: "Message",
    kind: "Kind",
    message: "Message",
    notifications: "Stop notifications",
    onReject: "If rejected",
    powers: "Allowed entries",
    reason: "Reason",
    repeated: "Same refusals",
    request: "Request",
    requestHash: "Hash of the request",
    requester: "Requester",
    template: "Template",
    valuesHash: "Hash of the values",
    scope: "Scope",
    scopes: "Permissions",
    server: "Server",
    shownHash: "Hash of what was shown",
    stage: "Stage",
    status: "Status",
    stepId: "Step",
    taskId: "Task",
    team: "Workspace",
    tool: "Tool",
    tried: "Tried",
    type: "Type",
    until: "New deadline",
    user: "Slack user",
    version: "Version",
    workingDirectory: "Working directory",
  },
};

const VALUES: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  ja: {
    "decision=approve": "承認",
    "decision=reject": "却下",
    "door=web": "Web",
    "door=mcp": "MCP",
    "door=slack": "Slack",
    "door=terminal": "端末",
    "onReject=fail": "失敗にする",
    "onReject=skip": "このステップを飛ばす",
    "scope=once": "今回だけ",
    "status=approved": "承認済み",
    "status=rejected": "却下",
    "kind=prompt": "実行方針",
    "kind=process": "実行ステップ",
    "kind=step": "人の確認",
    "kind=unplanned_tool": "計画外のツール",
    "kind=call": "呼び出しの確認",
    "kind=question": "質問",
    "kind=outcome": "結果の確認",
  },
  en: {
    "decision=approve": "approved",
    "decision=reject": "rejected",
    "door=web": "Web",
    "door=mcp": "MCP",
    "door=slack": "Slack",
    "door=terminal": "Terminal",
    "onReject=fail": "fail",
    "onReject=skip": "skip this step",
    "scope=once": "this time only",
    "kind=prompt": "prompt",
    "kind=process": "steps",
    "kind=step": "human check",
    "kind=unplanned_tool": "unplanned tool",
    "kind=call": "call check",
    "kind=question": "question",
    "kind=outcome": "unknown outcome",
  },
};
