import type { Fields } from "../../../../src/base/narrow.ts";
import type { SlackToken } from "../shapes.ts";
import type { World } from "../world.ts";
import { agentMethods } from "./agent.ts";
import { chatMethods } from "./chat.ts";
import { conversationMethods } from "./conversations.ts";
import { fileMethods } from "./files.ts";
import { exchangeCode } from "./install.ts";
import { ApiError, type Args, type ApiCall, type CheckBlocks, type Method } from "./method.ts";
import { userMethods } from "./users.ts";
import { viewMethods } from "./views.ts";

const METHODS: Readonly<Record<string, Method>> = {
  ...agentMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...userMethods,
  ...viewMethods,
};

export type ApiContext = {
  readonly world: World;
  readonly url: string;
  readonly check: CheckBlocks;
  readonly streamIdleMs: number;
  /** The address of a new socket, with its one-use ticket. */
  readonly newSocketUrl: () => string;
};

export type ApiRequest = {
  readonly method: string;
  readonly args: Args;
  /** The `Authorization` header. */
  readonly authorization: string;
};

/** The token of a request. Some clients send it in the body. */
export function tokenOf({ tokens }: World, { authorization, args }: ApiRequest) {
  return tokens.get(authorization.replace(/^Bearer /, "") || (args.text("token") ?? ""));
}

export function runMethod(context: ApiContext, request: ApiRequest): Fields {
  try {
    return { ok: true, ...answerOf(context, request) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ok: false, error: error.code, ...error.extra };
  }
}

function answerOf(context: ApiContext, request: ApiRequest): Fields {
  const { world } = context;
  const { method, args, authorization } = request;
  if (method === "api.test") return {};
  if (method === "oauth.v2.access") return exchangeCode(world, args, authorization);
  const found = METHODS[method];
  if (!found && method !== "apps.connections.open") {
    throw new ApiError("unknown_method", { req_method: method });
  }
  const token = validToken(world, request);
  if (!found) return openConnection(context, token);
  if (!token.team) throw new ApiError("not_allowed_token_type");
  const call: ApiCall = { ...context, token, team: token.team, args };
  const needed = typeof found.scopes === "function" ? found.scopes(call) : found.scopes;
  needScopes(token, needed);
  return found.run(call);
}

function validToken(world: World, request: ApiRequest): SlackToken {
  if (!request.authorization && !request.args.text("token")) throw new ApiError("not_authed");
  const token = tokenOf(world, request);
  if (!token) throw new ApiError("invalid_auth");
  if (token.error) throw new ApiError(token.error);
  return token;
}

function openConnection({ newSocketUrl }: ApiContext, token: SlackToken): Fields {
  if (token.kind !== "app") throw new ApiError("not_allowed_token_type");
  needScopes(token, ["connections:write"]);
  return { url: newSocketUrl() };
}

function needScopes(token: SlackToken, needed: readonly string[]): void {
  const missing = needed.filter((scope) => !token.scopes.has(scope));
  if (missing.length === 0) return;
  throw new ApiError("missing_scope", {
    needed: missing.join(","),
    provided: [...token.scopes].join(","),
  });
}
