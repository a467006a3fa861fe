import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const GLOSSARY = new URL("../../docs/glossary.md", import.meta.url);

/** The terms of the specification, in Japanese and in English. */
const TERMS = [
  ["エージェント", "agent"],
  ["メインエージェント", "main agent"],
  ["サブエージェント", "sub-agent"],
  ["職種（ロール）", "role"],
  ["MCP サーバー", "MCP server"],
  ["MCP ツール", "MCP tool"],
  ["ダッシュボード", "dashboard"],
  ["ヘッドレスモード", "headless mode"],
  ["stream-json", "stream-json"],
  ["NDJSON", "newline-delimited JSON"],
  ["ヘルスチェック", "health check"],
  ["モデル検証", "model validation"],
  ["Agent ID", "agent id"],
  ["AgentResult", "agent result"],
  ["AgentState", "agent state"],
  ["標準入出力（stdio）", "stdio"],
  ["WebSocket", "WebSocket"],
  ["SSOT", "single source of truth"],
  ["TDD", "test-driven development"],
] as const;

const rows = readFileSync(GLOSSARY, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test.each(TERMS)("the glossary explains %s (%s)", (ja, en) => {
  const row = rows.find(
    ([, japanese = "", english = ""]) => japanese.includes(ja) && english.includes(en),
  );

  expect(row?.[3]).toMatch(/\w{3}/);
});

test("the glossary explains every word once", () => {
  const words = rows.map(([, , english = ""]) => english);

  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});
