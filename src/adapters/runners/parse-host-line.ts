import { isRecord, parseJson, type Fields } from "../../base/narrow.ts";
import type { RunnerEvent } from "../../domain/agents/runner.ts";
import { eventShape } from "./host-event-shape.ts";

/** One line of a host program of ours. A line of another form is counted as skipped. */
export function parseHostLine(line: string): readonly RunnerEvent[] | undefined {
  const value = parseJson(line);
  const event = isRecord(value) ? hostEventOf(value) : undefined;
  return event && [event];
}

export function hostEventOf(value: Fields): RunnerEvent | undefined {
  return eventShape.safeParse(value).data;
}
