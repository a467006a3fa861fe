import { expect, test } from "vitest";
import { traceIdOf } from "./trace-ids.ts";
import { currentTrace, inTrace, traceIdOfLine, traceOf } from "./trace.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const newId = () => "new";

test("a request continues the trace that its caller names", () => {
  expect(traceOf(`00-${TRACE}-${SPAN}-01`, newId)).toEqual({ traceId: TRACE, parentSpanId: SPAN });
});

test.each([
  undefined,
  7,
  "",
  "nonsense",
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])("a request with the traceparent %j begins a new trace", (traceparent) => {
  expect(traceOf(traceparent, newId)).toEqual({ traceId: "new", parentSpanId: null });
});

test("a log line has the trace of its request, else of its row, else of the process", async () => {
  const inside = await inTrace({ traceId: TRACE, parentSpanId: null }, async () => {
    await Promise.resolve();
    return traceIdOfLine({ taskId: "task-1" }, "daemon");
  });

  expect(inside).toBe(TRACE);
  expect(currentTrace()).toBeUndefined();
  expect(traceIdOfLine({ taskId: "task-1" }, "daemon")).toBe(traceIdOf("task-1"));
  expect(traceIdOfLine({ port: 1 }, "daemon")).toBe("daemon");
});
