import { fieldsOf, isRecord, numberOf } from "../base/narrow.ts";
import type { RunnerEvent } from "../domain/agents/runner.ts";

/**
 * The tokens of a prompt. The protocol does not define them yet: some CLIs send `usage`, Gemini sends
 * `_meta.quota.token_count`. OpenCode counts only the last step: an unknown sum is better than a
 * wrong one.
 */
export function usageOf(cli: string | undefined, response: unknown): readonly RunnerEvent[] {
  if (cli === "OpenCode" || cli === "opencode") return [];
  const { usage, _meta: meta } = fieldsOf(response);
  const quota = fieldsOf(fieldsOf(meta).quota).token_count;
  const found = isRecord(usage) ? usage : quota;
  if (!isRecord(found)) return [];
  const count = (...names: readonly string[]): number =>
    Math.max(0, names.map((name) => numberOf(found[name])).find((n) => n !== undefined) ?? 0);
  return [
    {
      type: "usage",
      scope: "run",
      usage: {
        inputTokens: count("inputTokens", "input_tokens"),
        outputTokens: count("outputTokens", "output_tokens"),
        cacheReadTokens: count("cachedReadTokens", "cached_read_tokens"),
        cacheWriteTokens: count("cachedWriteTokens", "cached_write_tokens"),
      },
    },
  ];
}
