import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Identity } from "../../app/core.ts";
import { notSignedIn } from "../../app/people/identify-person.ts";
import type { Texts } from "../../domain/locale.ts";
import { isStoreRefusal, Refusal } from "../../domain/refusal.ts";
import type { Owner } from "../known-connections.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { ownerOf } from "../owner-of.ts";
import { createMcpServer, type Connection, type McpDoorOptions } from "./create-mcp-server.ts";
import { createDeliveries, followResponse, type Delivery } from "./deliveries.ts";
import { bearerOf, identifyByToken } from "./identify.ts";
import { createLegacySessions } from "./legacy-sessions.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { createOpenCalls } from "./open-calls.ts";
import { readJsonBody } from "./read-json-body.ts";

const NO_TOKEN: Texts = {
  en: "This daemon requires sign-in, and the request has no token.",
  ja: "このデーモンではサインインが必要ですが、要求にトークンがありません。",
};
const MODERN_REVISION = "2026-07-28";

export type HttpMcp = {
  fetch(request: Request): Promise<Response>;
  toolsChanged(): void;
  sessionCount(): number;
  close(): Promise<void>;
};

export type HttpMcpOptions = McpDoorOptions & {
  /** Called when the sender of a request was identified. */
  onKnown(request: Request, owner: Owner): void;
  /** Audits a wrong token and returns the refusal to answer with. */
  wrongToken(request: Request, refusal: Refusal): Promise<Refusal>;
};

/** `/mcp` for all protocol revisions: modern requests are stateless, older clients have sessions. */
export function createHttpMcp(options: HttpMcpOptions): HttpMcp {
  const { core } = options;
  const openCalls = createOpenCalls();
  const deliveries = createDeliveries(core);
  const connection: Connection = {
    identify: (context) => identifyRequest(context.http?.req),
    onDelivery: (context) => deliveries.onDelivery(context.http?.req),
    openCalls,
  };
  const onerror = (error: Error) =>
    core.log.debug("An MCP request over HTTP failed.", { error: error.message });
  const modern = createMcpHandler(() => createMcpServer(options, connection), {
    legacy: "reject",
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    onerror,
  });
  const legacy = createLegacySessions({
    makeServer: () => createMcpServer(options, connection),
    onerror,
    shared: core.shared,
  });

  /** Cached, because the door and the handler both identify the request. */
  const known = new WeakMap<Request, Promise<Identity>>();

  function identifyRequest(request: Request | undefined): Promise<Identity> {
    const found = request && known.get(request);
    if (found) return found;
    const identity = identify(request);
    if (request) known.set(request, identity);
    return identity;
  }

  async function identify(request: Request | undefined): Promise<Identity> {
    const token = bearerOf(request);
    const locale = localeOfRequest(core.settings, request?.headers);
    if (token !== undefined) {
      const identity = await identifyByToken(core, token).catch(async (error: unknown) => {
        if (!request || !(error instanceof Refusal) || isStoreRefusal(error)) throw error;
        throw await options.wrongToken(request, error);
      });
      return identity.kind === "agent" ? identity : { ...identity, locale };
    }
    if (core.people.isEnabled) throw notSignedIn(NO_TOKEN);
    // Not a person, even without sign-in: an agent's CLI may have found this address.
    return { kind: "client", locale };
  }

  return {
    async fetch(request) {
      let owner: Owner;
      let delivery: Delivery | undefined;
      try {
        const identity = await identifyRequest(request);
        owner = ownerOf(identity);
        delivery = deliveries.begin(request, identity);
        options.onKnown(request, owner);
      } catch (error) {
        if (error instanceof Refusal) return refused(error);
        throw error;
      }
      const body = await readJsonBody(request, MAX_MESSAGE_BYTES);
      if (body.response) return body.response;
      if (
        !isModern(body.request, body.parsed) &&
        (await isLegacyRequest(body.request, body.parsed))
      ) {
        return legacy.fetch(body.request, body.parsed, owner.id, delivery);
      }
      const response = await modern.fetch(body.request, { parsedBody: body.parsed });
      return followResponse(response, delivery);
    },
    toolsChanged() {
      modern.notify.toolsChanged();
      legacy.toolsChanged();
    },
    sessionCount: () => legacy.count(),
    async close() {
      await openCalls.stop();
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

/**
 * A fast check that most modern requests pass. False means undecided: then the SDK's slower check
 * decides.
 */
function isModern(request: Request, body: unknown): boolean {
  return (
    request.headers.get("mcp-protocol-version") === MODERN_REVISION &&
    typeof body === "object" &&
    body !== null &&
    "method" in body &&
    !("result" in body) &&
    !("error" in body)
  );
}

function refused(refusal: Refusal): Response {
  const { code, message, hint } = refusal;
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32001, message: `${code}: ${message} ${hint}` } },
    statusOf(refusal),
  );
}

function statusOf(refusal: Refusal): ResponseInit {
  if (refusal.code === "TOO_MANY_TRIES") return { status: 429 };
  // The token may be right: a client that gave it up would never come back.
  if (isStoreRefusal(refusal)) return { status: 503, headers: { "retry-after": "1" } };
  return { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' } };
}
