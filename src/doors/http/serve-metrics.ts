import type { Context, Hono } from "hono";
import type { Core } from "../../app/core.ts";
import type { MetricsPage } from "../../app/ports/metrics.ts";
import { createMetricsReader } from "../../app/telemetry/read-metrics.ts";
import type { Texts } from "../../domain/locale.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import type { IdentifyRequest } from "./identify-request.ts";
import { problem } from "./problem.ts";
import { signedIn } from "./signed-in.ts";

const PATH = "/metrics";
const OTHER_METHODS = ["POST", "PUT", "PATCH", "DELETE"];

export type ServeMetrics = {
  readonly core: Core;
  readonly identify: IdentifyRequest;
  /** Called for the first request: what writes the format is not loaded before. */
  readonly openPage: () => Promise<MetricsPage>;
  readonly dashboards: () => number;
};

/** Prometheus reads numbers of this daemon here, with the rights of a person who may read. */
export function serveMetrics(app: Hono, { core, identify, ...options }: ServeMetrics): void {
  const read = createMetricsReader(core, options.dashboards);
  let opened: Promise<MetricsPage> | undefined;
  // Only success is cached: a failure (EMFILE) may be temporary.
  const open = () =>
    (opened ??= options.openPage().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  app.get(PATH, signedIn(core, identify), async (context) => {
    if (!acceptsText(context.req.header("accept"))) return refuse(context, core, 406, NOT_TEXT);
    const page = await open();
    return context.body(await page.render(await read()), 200, {
      "content-type": page.contentType,
      "cache-control": "no-store",
    });
  });
}

/** Before the guard, which would ask for a header that does not help here. */
export function refuseMetricsChanges(app: Hono, core: Core): void {
  app.on(OTHER_METHODS, PATH, (context) => {
    const refused = refuse(context, core, 405, ONLY_READ);
    refused.headers.set("allow", "GET, HEAD");
    return refused;
  });
}

const NOT_TEXT: Texts = {
  en: "Metrics are plain text in the format of Prometheus. Send Accept: text/plain, or none.",
  ja: "メトリクスは Prometheus 形式のプレーンテキストです。Accept: text/plain を送るか、Accept を省いてください。",
};
const ONLY_READ: Texts = {
  en: "Metrics can only be read. Use GET.",
  ja: "メトリクスは読み取り専用です。GET を使ってください。",
};

function refuse(context: Context, core: Core, status: 405 | 406, texts: Texts): Response {
  const code = status === 405 ? "METHOD_NOT_ALLOWED" : "NOT_ACCEPTABLE";
  return problem(status, code, texts[localeOfRequest(core.settings, context.req.raw.headers)]);
}

/** Prometheus prefers other formats, and accepts this one, too. */
function acceptsText(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === "") return true;
  return accept
    .split(",")
    .map((range) => range.split(";")[0]?.trim().toLowerCase())
    .some((type) => type === "*/*" || type === "text/*" || type === "text/plain");
}
