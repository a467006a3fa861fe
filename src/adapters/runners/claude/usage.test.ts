import { expect, test } from "vitest";
import { fold } from "../../../../test/contract/runner-contract.ts";
import { createClaudeRunner } from "./runner.ts";

function model(tokens: number, costUSD: number) {
  return {
    inputTokens: tokens,
    outputTokens: 1,
    cacheReadInputTokens: 2,
    cacheCreationInputTokens: 3,
    costUSD,
  };
}

function result(more: object): string {
  return `${JSON.stringify({ type: "result", subtype: "success", is_error: false, ...more })}\n`;
}

function foldResults(...lines: readonly string[]) {
  return fold(createClaudeRunner(), Buffer.from(lines.join("")), { skipsDeltas: true });
}

test("the tokens and the cost of a Claude run include those of its sub-agents", () => {
  const progress = foldResults(
    result({
      usage: { input_tokens: 10 },
      total_cost_usd: 9,
      model_usage_since_last_result: { opus: model(10, 0.5), haiku: model(100, 0.25) },
    }),
  );

  expect(progress.usage).toEqual({
    inputTokens: 110,
    outputTokens: 2,
    cacheReadTokens: 4,
    cacheWriteTokens: 6,
  });
  expect(progress.costUsd).toBe(0.75);
});

test("several results of one Claude process are added up, and the conversation is not", () => {
  const conversation = { opus: model(5_000, 7) };
  const progress = foldResults(
    result({ modelUsage: conversation, model_usage_since_last_result: { opus: model(10, 0.5) } }),
    result({ modelUsage: conversation, model_usage_since_last_result: { opus: model(20, 0.5) } }),
    result({ modelUsage: conversation, model_usage_since_last_result: {} }),
  );

  expect(progress.usage?.inputTokens).toBe(30);
  expect(progress.costUsd).toBe(1);
});

test("an older Claude reports the tokens of the run and its cost", () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_read_input_tokens: 2,
    cache_creation_input_tokens: -3,
  };

  expect(foldResults(result({ usage, total_cost_usd: 0.5 }))).toMatchObject({
    usage: { inputTokens: 10, outputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 0 },
    costUsd: 0.5,
  });
});
