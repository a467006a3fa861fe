import { isPresent, isRecord, numberOf, textOf, type Fields } from "../../../base/narrow.ts";
import type { RunnerEvent, Usage } from "../../../domain/agents/runner.ts";
import { addUsage } from "../../../domain/agents/usage.ts";
import { failureOfClaude } from "./failure.ts";

/**
 * The `result` of a turn. An API error has the subtype "success" and is_error: true; the exit code
 * after an interrupt is 0. So only an explicit absence of errors is a success.
 */
export function parseResult(event: Fields): readonly RunnerEvent[] {
  const isClean = !isPresent(event.is_error) || event.is_error === false;
  const ok = event.subtype === "success" && isClean;
  const text = textOf(event.result) ?? "";
  const end = { type: "end", ok, text, durationMs: numberOf(event.duration_ms) ?? null } as const;
  if (ok) return [...usageOf(event), { ...end, error: null }];

  const said = errorsIn(event) || text || `It ended with ${textOf(event.subtype) ?? "an error"}.`;
  const found = failureOfClaude({
    text: said,
    status: numberOf(event.api_error_status),
    name: textOf(event.api_error),
  });
  return [
    ...usageOf(event),
    {
      ...end,
      error: found ? `${found.message} The CLI said: ${said}` : said,
      ...(found && { failure: found.failure }),
    },
  ];
}

function errorsIn({ errors }: Fields): string {
  return Array.isArray(errors) ? errors.filter((each) => typeof each === "string").join(" ") : "";
}

/**
 * `usage` leaves out sub-agents, and `modelUsage` and `total_cost_usd` count the whole conversation,
 * also the runs before a resume. What was used since the last result is right in every case.
 */
function usageOf(event: Fields): readonly RunnerEvent[] {
  const { model_usage_since_last_result: since, usage, total_cost_usd: cost } = event;
  if (isRecord(since)) {
    const models = Object.values(since).filter(isRecord);
    const costUsd = models.reduce((sum, { costUSD }) => sum + count(costUSD), 0);
    return [
      { type: "usage", scope: "step", usage: models.map(ofModel).reduce(addUsage, NONE), costUsd },
    ];
  }
  // Older versions.
  if (!isRecord(usage)) return [];
  return [
    {
      type: "usage",
      scope: "run",
      usage: {
        inputTokens: count(usage.input_tokens),
        outputTokens: count(usage.output_tokens),
        cacheReadTokens: count(usage.cache_read_input_tokens),
        cacheWriteTokens: count(usage.cache_creation_input_tokens),
      },
      ...(numberOf(cost) !== undefined && { costUsd: count(cost) }),
    },
  ];
}

const NONE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function ofModel(model: Fields): Usage {
  return {
    inputTokens: count(model.inputTokens),
    outputTokens: count(model.outputTokens),
    cacheReadTokens: count(model.cacheReadInputTokens),
    cacheWriteTokens: count(model.cacheCreationInputTokens),
  };
}

function count(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0);
}
