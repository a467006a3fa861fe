import { Hono } from "hono";
import type { Core } from "../../app/core.ts";
import { createReadiness } from "../../app/health/readiness.ts";
import { inTrace, traceOf } from "../../base/trace.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import { ROUTE_CONTRACTS } from "../../contract/routes/all.ts";
import * as daemon from "../../contract/routes/daemon.ts";
import type { WireWelcome } from "../../contract/shapes/settings.ts";
import type { Texts } from "../../domain/locale.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import type { HttpMcp } from "../mcp/http-mcp.ts";
import { UNEXPECTED } from "./explain-error.ts";
import { guard, type AllowedNames } from "./guard.ts";
import type { Authenticator } from "./identify-request.ts";
import { openApiDocument } from "./openapi.ts";
import { problem } from "./problem.ts";
import { ROUTES } from "./routes.ts";
import { refuseMetricsChanges, serveMetrics, type ServeMetrics } from "./serve-metrics.ts";
import { serveRoutes } from "./serve-routes.ts";
import { serveSignIn } from "./sign-in-routes.ts";
import { isPerson, signedIn } from "./signed-in.ts";
import { renderStartPage, START_PAGE_STYLE_HASH } from "./start-page.ts";
import { serveWeb } from "./web/serve-web.ts";

export type HttpAppOptions = AllowedNames & {
  readonly core: Core;
  readonly authenticator: Authenticator;
  readonly mcp: HttpMcp;
  status(): Promise<DaemonStatus>;
  /** The configuration that a person adds to an MCP client. */
  readonly snippet: string;
  /** The folder of the built dashboard. */
  readonly webFolder: string;
  /** Adds the routes for Slack and for browsers that install the app; absent while Slack is off. */
  readonly serveSlack?: (app: Hono) => void;
  /** False while the daemon starts or stops. */
  readonly isStarted?: () => boolean;
  readonly metrics: Pick<ServeMetrics, "openPage" | "dashboards">;
  /** Closes the WebSockets of the session that has ended. */
  onSignedOut(): Promise<void>;
};

export function createHttpApp(options: HttpAppOptions): Hono {
  const { core, authenticator } = options;
  const identify = authenticator.identifyRequest;
  const app = new Hono();
  app.use((context, next) => {
    const trace = traceOf(context.req.header("traceparent"), () => core.random.hex(16));
    return inTrace(trace, next);
  });
  // Before the guard: Slack and other people use the public name of the daemon. These routes have
  // proofs of their own.
  options.serveSlack?.(app);
  serveProbes(app, options);
  refuseMetricsChanges(app, core);
  app.use(guard(options, core.settings));

  app.all("/mcp", (context) => options.mcp.fetch(context.req.raw));
  app.get(daemon.getHealth.path, async (context) => {
    const isKnown = await isPerson(identify, context.req.raw);
    const { version } = core;
    const command = core.environment.commandName;
    return context.json({ ok: true, command, ...(isKnown ? await options.status() : { version }) });
  });
  serveSignIn(app, { core, authenticator, onSignedOut: () => options.onSignedOut() });
  app.use("/api/*", signedIn(core, identify));
  serveRoutes(app, { core, identify }, ROUTES);
  serveMetrics(app, { core, identify, ...options.metrics });
  app.get(daemon.getWelcome.path, async (context) => {
    const { url, demo } = await options.status();
    const welcome: WireWelcome = { snippet: options.snippet, url, ...(demo && { demo }) };
    return context.json(welcome);
  });
  app.get(daemon.getOpenApi.path, (context) =>
    context.json(openApiDocument(Object.values(ROUTE_CONTRACTS), core.version)),
  );
  if (serveWeb(app, options.webFolder)) return ending(app, options);
  app.get("/", signedIn(core, identify), async (context) => {
    context.header(
      "content-security-policy",
      `default-src 'none'; style-src '${START_PAGE_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    return context.html(renderStartPage(await options.status(), options.snippet));
  });
  return ending(app, options);
}

/**
 * Before the guard: monitors and load balancers use any address as Host, send no token, and learn
 * nothing but the state.
 */
function serveProbes(app: Hono, { core, isStarted = () => true }: HttpAppOptions): void {
  const readiness = createReadiness(core, isStarted);
  app.get(daemon.getLiveness.path, (context) => context.json({ ok: true }));
  app.get(daemon.getReadiness.path, async (context) => {
    const found = await readiness();
    return context.json(found, found.ok ? 200 : 503, { "cache-control": "no-store" });
  });
}

function ending(app: Hono, options: HttpAppOptions): Hono {
  const { settings } = options.core;
  app.notFound(({ req }) => {
    const place = `${req.method} ${req.path}`;
    const texts: Texts = {
      en: `There is nothing at ${place}.`,
      ja: `${place} には何もありません。`,
    };
    return problem(404, "NOT_FOUND", texts[localeOfRequest(settings, req.raw.headers)]);
  });
  app.onError((error, { req }) => {
    options.core.log.error("A request failed unexpectedly.", {
      error: error.stack ?? error.message,
    });
    const { message, hint } = UNEXPECTED[localeOfRequest(settings, req.raw.headers)];
    return problem(500, "INTERNAL_ERROR", message, hint);
  });
  return app;
}
