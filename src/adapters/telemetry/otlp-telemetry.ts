import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { METRICS, type Gauges, type Metric, type Telemetry } from "../../app/ports/telemetry.ts";
import type { Log } from "../../app/ports/world.ts";
import type { Span } from "../../domain/telemetry/span.ts";
import { watchReceiver } from "./watch-receiver.ts";

const SCOPE = "kuromajutsu";
/** Stopping the daemon waits no longer for a receiver that does not answer. */
const CLOSE_WITHIN_MS = 400;
const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
} as const;

export type OtlpSettings = {
  /** The address of an OTLP/HTTP receiver, without `/v1/traces`. */
  readonly endpoint: string;
  readonly intervalMs: number;
  readonly serviceName: string;
  readonly version: string;
  readonly log: Log;
};

/**
 * Traces and metrics over OTLP/HTTP. The exporters read OTEL_EXPORTER_OTLP_HEADERS and
 * OTEL_EXPORTER_OTLP_TIMEOUT by themselves. While the receiver is away, spans are lost; the daemon
 * does not wait.
 */
export function createOtlpTelemetry(settings: OtlpSettings): Telemetry {
  const resource = resourceFromAttributes({
    "service.name": settings.serviceName,
    "service.version": settings.version,
  });
  const address = (path: string) => `${settings.endpoint.replace(/\/+$/, "")}${path}`;
  const watched = watchReceiver(settings.endpoint, settings.log);
  const ids = presetIds();
  const tracing = new TracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(new OTLPTraceExporter({ url: address("/v1/traces") })),
        scheduledDelayMillis: settings.intervalMs,
      }),
    ],
  });
  const metering = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: watched(new OTLPMetricExporter({ url: address("/v1/metrics") })),
        exportIntervalMillis: settings.intervalMs,
        exportTimeoutMillis: settings.intervalMs,
      }),
    ],
  });
  const tracer = tracing.getTracer(SCOPE, settings.version);
  const meter = metering.getMeter(SCOPE, settings.version);
  const histograms = new Map(
    Object.entries(METRICS).map(([metric, name]) => {
      const unit = metric === "tokenUsage" ? "{token}" : "s";
      return [metric, meter.createHistogram(name, { unit })];
    }),
  );

  return {
    span(span) {
      ids.preset(span);
      const started = tracer.startSpan(
        span.name,
        {
          kind: KINDS[span.kind],
          startTime: span.startedAt,
          attributes: { ...span.attributes, ...(span.error && { "error.type": span.error }) },
        },
        parentOf(span),
      );
      if (span.error) started.setStatus({ code: SpanStatusCode.ERROR, message: span.error });
      started.end(Math.max(span.startedAt, span.endedAt));
    },
    measure(metric: Metric, value, attributes) {
      histograms.get(metric)?.record(value, { ...attributes });
    },
    gauges(read) {
      const gauge = (name: string, unit: string, pick: (gauges: Gauges) => number) =>
        meter
          .createObservableGauge(name, { unit })
          .addCallback(async (result) => result.observe(pick(await read())));
      gauge("kuromajutsu.agents.running", "{agent}", (now) => now.agentsRunning);
      gauge("kuromajutsu.agents.queued", "{agent}", (now) => now.agentsQueued);
      gauge("kuromajutsu.approvals.pending", "{approval}", (now) => now.approvalsPending);
    },
    async close() {
      const closed = Promise.allSettled([tracing.shutdown(), metering.shutdown()]);
      await Promise.race([
        closed,
        new Promise((done) => setTimeout(done, CLOSE_WITHIN_MS).unref()),
      ]);
    },
  };
}

function parentOf({ traceId, parentSpanId }: Span) {
  if (parentSpanId === null) return ROOT_CONTEXT;
  const parent = { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** The SDK draws ids by itself; ours follow from rows. `startSpan` draws them synchronously. */
function presetIds() {
  let next = { traceId: "", spanId: "" };
  return {
    preset: ({ traceId, spanId }: Span) => void (next = { traceId, spanId }),
    generateTraceId: () => next.traceId,
    generateSpanId: () => next.spanId,
  };
}
