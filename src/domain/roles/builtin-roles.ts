import type { Locale } from "../locale.ts";
import { ORCHESTRATOR_PROMPTS } from "./prompts/orchestrator.ts";
import type { Role } from "./role.ts";

/** A role that is part of the product; the model is a model name of the Cursor CLI. */
export type BuiltinRole = Omit<
  Role,
  "model" | "modelFrom" | "runner" | "isolation" | "mcpServers"
> & {
  readonly model: string;
};

export const DEFAULT_HEALTH_CHECK_PROMPT = "Hello, respond with exactly: OK";

const IMPL_CODE: BuiltinRole = {
  id: "impl-code",
  name: "コード実装者",
  description:
    "コードの実装・修正を行う。新機能の追加、バグ修正、リファクタリングなど、ファイルの編集を伴うタスクに使用する",
  model: "claude-4-sonnet",
  systemPrompt: `あなたはコード実装の専門家です。
与えられた仕様や指示に基づき、高品質なコードを実装してください。
実装が完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。
`,
  healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
  access: "read-write",
  tools: [],
};

const CODE_REVIEW: BuiltinRole = {
  id: "code-review",
  name: "コードレビュワー",
  description:
    "コードの品質をレビューする。実装完了後の品質チェック、セキュリティ・パフォーマンス観点のフィードバックに使用する。ファイルの編集は行わない",
  model: "claude-4-sonnet",
  systemPrompt: `あなたはコードレビューの専門家です。
与えられたコードを精査し、品質・可読性・セキュリティ・パフォーマンスの観点からフィードバックを提供してください。
レビューが完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。
`,
  healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
  access: "read-only",
  tools: [],
};

const TEXT_REVIEW: BuiltinRole = {
  id: "text-review",
  name: "文章レビュワー",
  description:
    "文章の品質をレビューする。ドキュメント・仕様書・READMEなどの文法・表現・構成チェックに使用する。ファイルの編集は行わない",
  model: "claude-4-sonnet",
  systemPrompt: `あなたは文章レビューの専門家です。
与えられたテキストの文法、表現、構成、一貫性を確認し、改善提案を提供してください。
レビューが完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。
`,
  healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
  access: "read-only",
  tools: [],
};

const RESEARCH: BuiltinRole = {
  id: "research",
  name: "調査員",
  description:
    "調査・情報収集を行う。技術選定、ベストプラクティスの調査、コードベースの分析などに使用する。ファイルの編集は行わない",
  model: "composer-1.5",
  systemPrompt: `あなたは調査・情報収集の専門家です。
与えられたテーマやトピックについて、Web検索やローカルファイルの検索を駆使して
情報を収集し、整理された調査レポートとして報告してください。
調査が完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。
ファイルの編集は行わず、調査結果は「調査概要・調査結果・参考情報・所見」の構造で整理して報告してください。
`,
  healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
  access: "read-only",
  tools: [],
};

const IMPL_TEST: BuiltinRole = {
  id: "impl-test",
  name: "テスト実装者",
  description:
    "テストコードの実装を行う。ユニットテスト・統合テストの作成、テストカバレッジの向上に使用する",
  model: "claude-4-sonnet",
  systemPrompt: `あなたはテスト実装の専門家です。
与えられた仕様やコードに対して、包括的なテストを作成してください。
ユニットテスト、エッジケース、異常系のテストを含めてください。
実装が完了したら、必ず kuromajutsu MCP の \`report_result\` ツールを呼び出して結果を報告してください。
`,
  healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
  access: "read-write",
  tools: [],
};

function orchestrator(locale: Locale): BuiltinRole {
  return {
    id: "orchestrator",
    name: "オーケストレーター",
    description:
      "Magentic パターンのオーケストレーションを担当する。タスクの分析・計画立案・サブ Agent への委任・結果評価・リプランニングを自律的に行う",
    model: "opus-4.6-thinking",
    systemPrompt: ORCHESTRATOR_PROMPTS[locale],
    healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
    access: "read-write",
    tools: [],
  };
}

export function builtinRoles(locale: Locale): readonly BuiltinRole[] {
  return [IMPL_CODE, CODE_REVIEW, TEXT_REVIEW, RESEARCH, IMPL_TEST, orchestrator(locale)];
}

export const BUILTIN_ROLE_IDS: readonly string[] = builtinRoles("en").map(({ id }) => id);
