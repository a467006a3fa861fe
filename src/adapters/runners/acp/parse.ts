import { isRecord, parseJson } from "../../../base/narrow.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { eventShape } from "./event-shape.ts";

/** One line of our ACP host. A line of another form is counted as skipped. */
export function parseHostLine(line: string): readonly RunnerEvent[] | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) return undefined;
  const parsed = eventShape.safeParse(value);
  return parsed.success ? [parsed.data] : undefined;
}
