import type { WireUsageRow } from "../../../../src/contract/shapes/history.ts";
import type { CsvCell } from "../../text/csv.ts";
import type { CostWords } from "./texts.ts";

export function usageRows(
  rows: readonly WireUsageRow[],
  words: CostWords["csv"],
): readonly (readonly CsvCell[])[] {
  return [
    [
      words.day,
      words.runner,
      words.model,
      words.role,
      words.agents,
      words.input,
      words.output,
      words.cacheRead,
      words.cacheWrite,
      words.cost,
      words.currency,
      words.reason,
      words.reportedModel,
    ],
    ...rows.map((row) => [
      row.day,
      row.runner,
      row.model,
      row.role,
      row.agents,
      row.inputTokens,
      row.outputTokens,
      row.cacheReadTokens,
      row.cacheWriteTokens,
      row.cost,
      row.currency,
      row.reason,
      row.reportedModel ?? null,
    ]),
  ];
}
