import { LogLevel, WebClient, type Logger } from "@slack/web-api";
import type { Clock, Log } from "../../../app/ports/world.ts";
import { SlackCallFailed, type SlackAnswer, type SlackApi, type SlackCall } from "../slack-api.ts";
import { createPacer, type Pacer } from "./pacer.ts";
import { slackFailure } from "./slack-failure.ts";

const TIMEOUT_MS = 10_000;
const DEFAULT_PAUSE_SECONDS = "30";
const NOT_LEADER_MS = 1_000;

/** What the app may use in one workspace. */
export type SlackAccess = {
  /** Secret. */
  readonly token: string;
  readonly botUser: string;
};

export type CreateSlackApi = {
  /** Undefined: the app is not installed in this workspace. */
  readonly accessOf: (team: string) => Promise<SlackAccess | undefined>;
  /** Default: Slack's own. */
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Another server may have become the one that speaks to Slack while this one was paused. */
  readonly isLeader?: (() => boolean) | undefined;
};

/** For callers that choose what to send only when Slack allows a call. */
export type PacedSlackApi = SlackApi & {
  /** Takes a turn for `send` and returns 0, or returns the milliseconds until there may be one. */
  takeTurn(call: SlackCall): number;
  /** Like `call`, with a turn from `takeTurn`. */
  send(call: SlackCall): Promise<SlackAnswer>;
};

export function createSlackApi(options: CreateSlackApi): PacedSlackApi {
  const pacer = createPacer(options.clock);
  const clientOf = createClients(options);
  const { isLeader = () => true } = options;

  async function send(call: SlackCall): Promise<SlackAnswer> {
    try {
      const client = await clientOf(call.team);
      if (!isLeader()) throw new SlackCallFailed("unreachable", "not_leading");
      return { ...(await client.apiCall(call.method, { ...call.args })) };
    } catch (error) {
      throw noted(slackFailure(error), call, pacer, options.log);
    }
  }

  return {
    takeTurn: (call) => (isLeader() ? pacer.take(turnOf(call)) : NOT_LEADER_MS),
    send,
    async call(call) {
      await pacer.wait(turnOf(call));
      return send(call);
    },
    botUserOf: async (team) => (await options.accessOf(team))?.botUser,
  };
}

function turnOf({ team, method, args, isUrgent = false }: SlackCall) {
  const { channel } = args;
  return { team, method, channel: typeof channel === "string" ? channel : undefined, isUrgent };
}

function noted(
  failed: SlackCallFailed,
  { team, method }: SlackCall,
  pacer: Pacer,
  log: Log,
): SlackCallFailed {
  const { failure, code, retryAfterMs } = failed;
  if (failure === "limited") pacer.pause(team, method, retryAfterMs ?? TIMEOUT_MS);
  const level = failure === "refused" ? "warn" : "debug";
  log[level]("A call of Slack failed.", { team, method, failure, code });
  return failed;
}

/** One client per workspace and token: a client must never send a token of another workspace. */
function createClients({ accessOf, apiUrl, log }: CreateSlackApi) {
  const clients = new Map<string, { readonly token: string; readonly client: WebClient }>();
  return async (team: string): Promise<WebClient> => {
    const access = await accessOf(team).catch((error: unknown) => {
      if (error instanceof SlackCallFailed) throw error;
      // Only the name: the message could contain the token.
      const name = error instanceof Error ? error.name : "unknown";
      log.error("The token of a Slack workspace could not be read.", { team, error: name });
      throw new SlackCallFailed("unreachable", "token_unreadable");
    });
    if (!access) {
      clients.delete(team);
      throw new SlackCallFailed("refused", "not_installed");
    }
    const known = clients.get(team);
    if (known?.token === access.token) return known.client;
    // No `headers`: the client would write the token into them, for every client that shares them.
    const client = new WebClient(access.token, {
      ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
      // A repeated post could show a message twice. Our outbox repeats calls.
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: TIMEOUT_MS,
      fetch: fetchWithPause,
      logger: quietLogger(log),
    });
    clients.set(team, { token: access.token, client });
    return client;
  };
}

/** The client needs to know how long to wait; a proxy may answer 429 without saying so. */
async function fetchWithPause(...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...args);
  if (response.status !== 429 || Number(response.headers.get("retry-after")) > 0) return response;
  return new Response(null, {
    status: 429,
    headers: { "retry-after": DEFAULT_PAUSE_SECONDS },
  });
}

/** The client's own log has bodies and writes to the console. Its failures are logged by us. */
function quietLogger(log: Log): Logger {
  return {
    debug() {},
    info() {},
    warn: (...parts: unknown[]) => log.debug("Slack's client warns.", { text: parts.join(" ") }),
    error: (...parts: unknown[]) => log.warn("Slack found a mistake.", { text: parts.join(" ") }),
    setLevel() {},
    getLevel: () => LogLevel.ERROR,
    setName() {},
  };
}
