import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import type { CsvCell } from "../../text/csv.ts";
import type { HistoryWords } from "./texts.ts";

export function historyRows(
  entries: readonly WireHistoryEntry[],
  words: HistoryWords["csv"],
): readonly (readonly CsvCell[])[] {
  const columns = columnsOf(words);
  return [
    columns.map(([name]) => name),
    ...entries.map((entry) => columns.map(([, cellOf]) => cellOf(entry))),
  ];
}

type Column = readonly [string, (entry: WireHistoryEntry) => CsvCell];

function columnsOf(words: HistoryWords["csv"]): readonly Column[] {
  return [
    [words.agentId, ({ agentId }) => agentId],
    [words.groupId, ({ groupId }) => groupId],
    [words.groupDescription, ({ groupDescription }) => groupDescription],
    [words.role, ({ role }) => role],
    [words.runner, ({ runner }) => runner],
    [words.model, ({ model }) => model],
    [words.status, ({ status }) => status],
    [words.result, ({ result }) => result],
    [words.summary, ({ summary }) => summary],
    [words.duration, ({ duration_ms: ms }) => ms],
    [words.editedFiles, ({ editedFiles }) => editedFiles.join("\n")],
    [words.createdFiles, ({ createdFiles }) => createdFiles.join("\n")],
    [words.tools, ({ toolCallCount }) => toolCallCount],
    [words.input, ({ usage }) => usage?.inputTokens],
    [words.output, ({ usage }) => usage?.outputTokens],
    [words.cacheRead, ({ usage }) => usage?.cacheReadTokens],
    [words.cacheWrite, ({ usage }) => usage?.cacheWriteTokens],
    [words.error, ({ errorMessage }) => errorMessage],
    [words.exitCode, ({ exitCode }) => exitCode],
    [words.createdAt, ({ createdAt }) => createdAt],
    [words.startedAt, ({ startedAt }) => startedAt],
    [words.endedAt, ({ endedAt }) => endedAt],
  ];
}
