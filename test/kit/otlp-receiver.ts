import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { z } from "zod";

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  boolValue: z.boolean().optional(),
});
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(z.object({ key: z.string(), value })).default([]),
  status: z.object({ code: z.number().optional() }).default({}),
});
const traces = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});
const metrics = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(z.object({ metrics: z.array(z.looseObject({ name: z.string() })) })),
    }),
  ),
});

type Receiver = {
  readonly port?: number;
  /** The HTTP status of every answer; `never` reads the request and does not answer. */
  readonly answers?: number | "never";
};

/** A receiver of OTLP over HTTP with JSON, on loopback. */
export async function anOtlpReceiver({ port = 0, answers = 200 }: Receiver = {}) {
  const spans: z.infer<typeof span>[] = [];
  const metricNames = new Set<string>();
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      headers.push(request.headers);
      if (answers === "never") return;
      if (answers !== 200) {
        response.writeHead(answers).end();
        return;
      }
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      if (request.url === "/v1/traces") {
        spans.push(
          ...traces
            .parse(body)
            .resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
        );
      } else {
        for (const each of metrics.parse(body).resourceMetrics) {
          for (const scope of each.scopeMetrics) {
            for (const { name } of scope.metrics) metricNames.add(name);
          }
        }
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${portOf(server.address())}`, spans, metricNames, headers };
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address ? address.port : 0;
}
