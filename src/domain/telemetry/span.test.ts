import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { expect, test } from "vitest";
import {
  aGroup,
  anAgent,
  anApproval,
  anExecution,
  aTask,
  aToolCall,
} from "../../../test/kit/builders.ts";
import { METRICS } from "../../app/ports/telemetry.ts";
import { spanIdOf, traceIdOf } from "../../base/trace-ids.ts";
import {
  agentSpan,
  approvalSpan,
  callSpan,
  executionSpan,
  groupSpan,
  taskSpan,
  type Span,
} from "./span.ts";

const GROUP = aGroup();
const TASK = aTask({ request: "secret request", title: "secret title" });
const AGENT = anAgent({ taskId: TASK.id, startedAt: 10, endedAt: 20, status: "completed" });
const CALL = aToolCall({ args: '{"secret":1}', answer: "secret answer" });

const SPANS: readonly Span[] = [
  groupSpan(GROUP, GROUP.id, 9),
  taskSpan(TASK, 9),
  executionSpan(anExecution(), 9),
  agentSpan(AGENT, undefined, GROUP.id),
  callSpan(CALL, AGENT, GROUP.id),
  approvalSpan(anApproval(), AGENT, GROUP.id),
];
const KNOWN: readonly unknown[] = Object.values(conventions);

test("attributes and metrics have the names of the semantic conventions, or our prefix", () => {
  const names = [
    ...SPANS.flatMap(({ attributes }) => Object.keys(attributes)),
    ...Object.values(METRICS),
  ];

  expect(names.filter((name) => !KNOWN.includes(name) && !name.startsWith("kuromajutsu."))).toEqual(
    [],
  );
});

test("spans contain no request, title, argument or answer", () => {
  expect(JSON.stringify(SPANS)).not.toContain("secret");
});

test("an agent of a task is in the trace of the task, below its execution", () => {
  const span = agentSpan({ ...AGENT, executionId: "exe-1" }, undefined, GROUP.id);

  expect(span).toMatchObject({
    name: "invoke_agent impl-code",
    traceId: traceIdOf(TASK.id),
    parentSpanId: spanIdOf("exe-1"),
    startedAt: 10,
    endedAt: 20,
    error: null,
  });
});

test("an agent without a task is in the trace of the outermost group, below its own group", () => {
  const span = agentSpan({ ...AGENT, taskId: null }, undefined, "grp-root");

  expect(span.traceId).toBe(traceIdOf("grp-root"));
  expect(span.parentSpanId).toBe(spanIdOf(GROUP.id));
});

test.each([
  ["failed", "failed"],
  ["lost", "lost"],
  ["timedOut", "timedOut"],
  ["completed", null],
] as const)("the span of an agent that is %s has the error %s", (status, error) => {
  expect(agentSpan({ ...AGENT, status }, undefined, GROUP.id).error).toBe(error);
});
