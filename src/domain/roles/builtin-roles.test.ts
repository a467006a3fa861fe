import { expect, test } from "vitest";
import { LOCALES } from "../locale.ts";
import { builtinRoles } from "./builtin-roles.ts";

/** The texts of the specification, copied by hand. */
const FIVE = [
  {
    id: "impl-code",
    name: "コード実装者",
    description:
      "コードの実装・修正を行う。新機能の追加、バグ修正、リファクタリングなど、ファイルの編集を伴うタスクに使用する",
    model: "claude-4-sonnet",
    prompt: [
      "あなたはコード実装の専門家です。",
      "与えられた仕様や指示に基づき、高品質なコードを実装してください。",
      "実装が完了したら、必ず kuromajutsu MCP の `report_result` ツールを呼び出して結果を報告してください。",
    ],
    access: "read-write",
  },
  {
    id: "code-review",
    name: "コードレビュワー",
    description:
      "コードの品質をレビューする。実装完了後の品質チェック、セキュリティ・パフォーマンス観点のフィードバックに使用する。ファイルの編集は行わない",
    model: "claude-4-sonnet",
    prompt: [
      "あなたはコードレビューの専門家です。",
      "与えられたコードを精査し、品質・可読性・セキュリティ・パフォーマンスの観点からフィードバックを提供してください。",
      "レビューが完了したら、必ず kuromajutsu MCP の `report_result` ツールを呼び出して結果を報告してください。",
    ],
    access: "read-only",
  },
  {
    id: "text-review",
    name: "文章レビュワー",
    description:
      "文章の品質をレビューする。ドキュメント・仕様書・READMEなどの文法・表現・構成チェックに使用する。ファイルの編集は行わない",
    model: "claude-4-sonnet",
    prompt: [
      "あなたは文章レビューの専門家です。",
      "与えられたテキストの文法、表現、構成、一貫性を確認し、改善提案を提供してください。",
      "レビューが完了したら、必ず kuromajutsu MCP の `report_result` ツールを呼び出して結果を報告してください。",
    ],
    access: "read-only",
  },
  {
    id: "research",
    name: "調査員",
    description:
      "調査・情報収集を行う。技術選定、ベストプラクティスの調査、コードベースの分析などに使用する。ファイルの編集は行わない",
    model: "composer-1.5",
    prompt: [
      "あなたは調査・情報収集の専門家です。",
      "与えられたテーマやトピックについて、Web検索やローカルファイルの検索を駆使して",
      "情報を収集し、整理された調査レポートとして報告してください。",
      "調査が完了したら、必ず kuromajutsu MCP の `report_result` ツールを呼び出して結果を報告してください。",
      "ファイルの編集は行わず、調査結果は「調査概要・調査結果・参考情報・所見」の構造で整理して報告してください。",
    ],
    access: "read-only",
  },
  {
    id: "impl-test",
    name: "テスト実装者",
    description:
      "テストコードの実装を行う。ユニットテスト・統合テストの作成、テストカバレッジの向上に使用する",
    model: "claude-4-sonnet",
    prompt: [
      "あなたはテスト実装の専門家です。",
      "与えられた仕様やコードに対して、包括的なテストを作成してください。",
      "ユニットテスト、エッジケース、異常系のテストを含めてください。",
      "実装が完了したら、必ず kuromajutsu MCP の `report_result` ツールを呼び出して結果を報告してください。",
    ],
    access: "read-write",
  },
] as const;

test.each(FIVE)("the role $id has the specified texts in every language", (expected) => {
  for (const locale of LOCALES) {
    expect(builtinRoles(locale).find(({ id }) => id === expected.id)).toEqual({
      id: expected.id,
      name: expected.name,
      description: expected.description,
      model: expected.model,
      systemPrompt: `${expected.prompt.join("\n")}\n`,
      healthCheckPrompt: "Hello, respond with exactly: OK",
      access: expected.access,
      tools: [],
    });
  }
});

test("the orchestrator has the specified texts, with a prompt in the chosen language", () => {
  const [ja, en] = LOCALES.map((locale) =>
    builtinRoles(locale).find(({ id }) => id === "orchestrator"),
  );

  expect(ja).toMatchObject({
    name: "オーケストレーター",
    description:
      "Magentic パターンのオーケストレーションを担当する。タスクの分析・計画立案・サブ Agent への委任・結果評価・リプランニングを自律的に行う",
    model: "opus-4.6-thinking",
    healthCheckPrompt: "Hello, respond with exactly: OK",
    access: "read-write",
  });
  expect(ja?.systemPrompt).toContain("計画 → 委任 → 評価 → リプラン");
  expect(en?.systemPrompt).toContain("plan, delegate, evaluate, replan");
});

test.each(LOCALES)("the orchestrator's prompt (%s) names every tool of its loop", (locale) => {
  const prompt = builtinRoles(locale).find(({ id }) => id === "orchestrator")?.systemPrompt;

  for (const tool of [
    "list_roles",
    "create_group",
    "run_agents",
    "run_sequential",
    "wait_agent",
    "get_agent_status",
    "update_ledger",
    "get_notifications",
    "report_result",
    "MAX_ITERATIONS_REACHED",
    "waitMore",
  ]) {
    expect(prompt).toContain(`\`${tool}\``);
  }
});

test("the built-in roles are in the specified order", () => {
  expect(builtinRoles("ja").map(({ id }) => id)).toEqual([
    "impl-code",
    "code-review",
    "text-review",
    "research",
    "impl-test",
    "orchestrator",
  ]);
});
