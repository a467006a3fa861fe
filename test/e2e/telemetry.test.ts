import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { traceIdOf } from "../../src/base/trace-ids.ts";
import { until } from "../kit/daemon.ts";
import { anOtlpReceiver } from "../kit/otlp-receiver.ts";
import { aPersonWithCurl, LONG_MS } from "../kit/task-person.ts";

const SERVER = fileURLToPath(new URL("../../examples/hr/server.js", import.meta.url));

test(
  "OpenTelemetry receives one trace per task with its agents, calls and approvals, and metrics",
  { timeout: LONG_MS },
  async () => {
    const receiver = await anOtlpReceiver();
    const person = await aPersonWithCurl([SERVER], {
      telemetry: { otlpEndpoint: receiver.url, interval_ms: 200 },
    });

    const taskId = await person.ask("9月分を集計して\n#rehearsal uncheck step-4");
    await person.decide(await person.asked(taskId, "prompt"), "approve");
    await person.decide(await person.asked(taskId, "process"), "approve");
    await person.ended(taskId);
    const named = (name: string) => receiver.spans.filter((span) => span.name === name);
    await until(() => named("task").length > 0 && named("invoke_agent executor").length > 0);

    const traceId = traceIdOf(taskId);
    const [task] = named("task");
    const [execution] = named("execution 1");
    const [executor] = named("invoke_agent executor");
    const [call] = named("tools/call calculate_overtime").filter(({ kind }) => kind === 3);
    expect(task).toMatchObject({ traceId, status: {} });
    expect(task?.parentSpanId ?? "").toBe("");
    expect(execution).toMatchObject({ traceId, parentSpanId: task?.spanId });
    expect(executor).toMatchObject({ traceId, parentSpanId: execution?.spanId });
    expect(call).toMatchObject({ traceId, parentSpanId: executor?.spanId });
    expect(named("approval prompt")).toMatchObject([{ traceId, parentSpanId: task?.spanId }]);
    expect(named("tools/call report_completed")).toMatchObject([
      { traceId, parentSpanId: executor?.spanId },
    ]);
    await until(() => receiver.metricNames.has("kuromajutsu.task.duration"));
    expect([...receiver.metricNames]).toEqual(
      expect.arrayContaining([
        "gen_ai.client.operation.duration",
        "mcp.client.operation.duration",
        "mcp.server.operation.duration",
        "kuromajutsu.approval.wait.duration",
        "kuromajutsu.approvals.pending",
      ]),
    );
    expect(JSON.stringify(receiver.spans)).not.toContain("集計");
  },
);
