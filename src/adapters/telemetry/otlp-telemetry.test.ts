import { expect, onTestFinished, test, vi } from "vitest";
import { until } from "../../../test/kit/daemon.ts";
import { aFreePort } from "../../../test/kit/free-port.ts";
import { anOtlpReceiver } from "../../../test/kit/otlp-receiver.ts";
import type { Span } from "../../domain/telemetry/span.ts";
import { createOtlpTelemetry } from "./otlp-telemetry.ts";

const SPAN: Span = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: null,
  name: "task",
  kind: "internal",
  startedAt: 1_000,
  endedAt: 2_000,
  attributes: {},
  error: null,
};

/** Exports every 100 ms; by default it gives up an export before its first retry. */
function aTelemetry(endpoint: string, timeoutMs = 300) {
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", String(timeoutMs));
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: { readonly level: string; readonly text: string }[] = [];
  const write =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void lines.push({ level, text: `${message} ${JSON.stringify(fields)}` });
  const log = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  const telemetry = createOtlpTelemetry({
    endpoint,
    intervalMs: 100,
    serviceName: "test",
    version: "1",
    log,
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await telemetry.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { telemetry, close, lines };
}

test("a receiver of OpenTelemetry that is away is logged once, and once when it is back", async () => {
  const port = await aFreePort();
  const { telemetry, lines } = aTelemetry(`http://127.0.0.1:${port}`);
  let collections = 0;
  telemetry.gauges(() => {
    collections += 1;
    return Promise.resolve({ agentsRunning: 0, agentsQueued: 0, approvalsPending: 0 });
  });
  const work = () => {
    telemetry.span(SPAN);
    telemetry.measure("taskDuration", 1, {});
  };

  // Three gauges are read for each export: at least five exports fail.
  await until(() => {
    work();
    return collections >= 15;
  });
  expect(lines.map(({ level }) => level)).toEqual(["warn"]);
  expect(lines[0]?.text).toContain(`http://127.0.0.1:${port}`);
  expect(lines[0]?.text).toContain("ECONNREFUSED");
  expect(lines[0]?.text).toContain("telemetry.otlpEndpoint");

  const receiver = await anOtlpReceiver({ port });
  await until(() => {
    work();
    return lines.length > 1 && receiver.spans.length > 0;
  });
  expect(lines.map(({ level }) => level)).toEqual(["warn", "info"]);
  expect(receiver.metricNames).toContain("kuromajutsu.agents.running");
});

test("a receiver of OpenTelemetry that wants a key is answered with where the key belongs", async () => {
  const receiver = await anOtlpReceiver({ answers: 401 });
  const { telemetry, lines } = aTelemetry(receiver.url);

  telemetry.span(SPAN);
  await until(() => lines.length > 0);

  expect(lines[0]?.text).toContain("OTEL_EXPORTER_OTLP_HEADERS");
});

const WELL_BEFORE_THE_SDK_GIVES_UP = { timeout: 10_000 };

test(
  "closing OpenTelemetry does not wait for a receiver that never answers",
  WELL_BEFORE_THE_SDK_GIVES_UP,
  async () => {
    const receiver = await anOtlpReceiver({ answers: "never" });
    const { telemetry, close, lines } = aTelemetry(receiver.url, 60_000);
    telemetry.span(SPAN);

    await close();

    expect(receiver.headers).toHaveLength(1);
    expect(lines).toEqual([]);
  },
);
