import { AsyncLocalStorage } from "node:async_hooks";
import { traceIdOf } from "./trace-ids.ts";

/** Joins a request with its refusal and with every log line that it causes. */
export type Trace = {
  readonly traceId: string;
  /** The span of the caller, if it sent one. */
  readonly parentSpanId: string | null;
};

const storage = new AsyncLocalStorage<Trace>();

export function currentTrace(): Trace | undefined {
  return storage.getStore();
}

export function inTrace<T>(trace: Trace, run: () => T): T {
  return storage.run(trace, run);
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** The trace that the caller names (W3C `traceparent`), else a new one. */
export function traceOf(traceparent: unknown, newId: () => string): Trace {
  const [, traceId = "", parentSpanId = ""] =
    typeof traceparent === "string" ? (TRACEPARENT.exec(traceparent) ?? []) : [];
  const isValid = /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(parentSpanId);
  return isValid ? { traceId, parentSpanId } : { traceId: newId(), parentSpanId: null };
}

/**
 * The trace id of a log line: that of the request, else that of the row that the line is about, else
 * that of this process.
 */
export function traceIdOfLine(
  fields: Readonly<Record<string, unknown>>,
  processTraceId: string,
): string {
  const trace = storage.getStore();
  if (trace) return trace.traceId;
  const row = ["task", "taskId", "group", "groupId"].map((key) => fields[key]).find(isId);
  return row === undefined ? processTraceId : traceIdOf(row);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^(?:task|grp)-/.test(value);
}
