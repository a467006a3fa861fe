import { join } from "node:path";
import type { Core } from "../../app/core.ts";
import type { Config } from "../../contract/config/schema.ts";
import { createHomes } from "./agent/home.ts";
import { showSessionStatus } from "./agent/session-status.ts";
import { refusalNotice } from "./cards/refusals.ts";
import { answer } from "./incoming/answer.ts";
import type { Incoming } from "./incoming/context.ts";
import { createSlackFiles } from "./incoming/files.ts";
import { createHandlers } from "./incoming/handlers.ts";
import { createPermalinks } from "./incoming/my-work.ts";
import { localeOf, placeOf } from "./incoming/place.ts";
import { createRequestLimit } from "./incoming/request-limit.ts";
import { createResponseUrls } from "./incoming/response-url.ts";
import type { TokenOf } from "./incoming/token-of.ts";
import { createSlackPeople } from "./people/slack-people.ts";
import { createBoltApp } from "./receive/bolt-app.ts";
import { createHttpReceiver } from "./receive/http-receiver.ts";
import { createInbox, type InboxOptions, type SlackRequest } from "./receive/inbox.ts";
import { openSockets } from "./receive/sockets.ts";
import type { SlackApi } from "./slack-api.ts";

export type OpenSlackDoor = {
  readonly core: Core;
  /** The newest configuration. */
  readonly settings: () => Config["slack"];
  /** They come from the environment; never log or store them. */
  readonly secrets: {
    readonly appToken?: string | undefined;
    readonly signingSecret?: string | undefined;
  };
  readonly api: SlackApi;
  readonly tokenOf: TokenOf;
  /** The workspace of settings that name none; undefined if it is not clear. */
  readonly homeTeam: () => Promise<string | undefined>;
  /** Another address of the Web API, for tests. */
  readonly apiUrl: string | undefined;
  readonly dataDir: string;
  readonly dashboardUrl: () => string | undefined;
  readonly inbox?: Pick<InboxOptions, "retryDelaysMs" | "drainMs">;
};

export type SlackDoor = {
  /** Answers Slack's requests to `/slack/events`; undefined in Socket Mode. */
  readonly events: ((request: Request) => Promise<Response>) | undefined;
  /** Waits for requests that are being handled, at most ten seconds. */
  close(): Promise<void>;
};

/** Opens the door through which requests of Slack come in. */
export function openSlackDoor(options: OpenSlackDoor): SlackDoor {
  const { core, api, secrets, apiUrl } = options;
  const incoming = createIncoming(options);
  const homes = createHomes(incoming);
  const stopStatus = showSessionStatus(incoming);
  const dispatch = createBoltApp({
    api,
    log: core.log,
    handlers: createHandlers(incoming, homes),
  });
  const inbox = createInbox({
    ...options.inbox,
    core,
    handle: async (request) => {
      if (await isInstalled(incoming, request)) await dispatch(request);
    },
    async onGivenUp(request) {
      const locale = await localeOf(incoming, request, placeOf(request));
      await answer(incoming, request, refusalNotice({ locale, reason: "failed" }));
    },
  });
  const mode = modeOf(options);
  const { log } = core;
  const sockets =
    mode === "socket" && secrets.appToken
      ? openSockets({ appToken: secrets.appToken, apiUrl, inbox, log })
      : undefined;
  const events =
    mode === "http" && secrets.signingSecret
      ? createHttpReceiver({ core, signingSecret: secrets.signingSecret, inbox })
      : undefined;
  if (!sockets && !events) log.error(MISSING[mode]);
  inbox.start();
  void incoming.files.clean().catch(() => undefined);
  return {
    events,
    async close() {
      await inbox.close();
      homes.close();
      stopStatus();
      await sockets?.close();
    },
  };
}

const MISSING = {
  socket:
    "Slack cannot reach the daemon: SLACK_APP_TOKEN is missing. Set it, or set slack.mode to http.",
  http: "Slack cannot reach the daemon: set SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET and a public address.",
} as const;

function modeOf({ settings, secrets }: OpenSlackDoor): "socket" | "http" {
  const { mode } = settings();
  if (mode !== "auto") return mode;
  return secrets.appToken ? "socket" : "http";
}

function createIncoming(options: OpenSlackDoor): Incoming {
  const { core, api, apiUrl, tokenOf, homeTeam, dataDir } = options;
  return {
    core,
    api,
    people: createSlackPeople({
      api,
      core,
      settings: () => options.settings().people,
      homeTeam,
    }),
    files: createSlackFiles({ core, directory: join(dataDir, "slack-files"), tokenOf, apiUrl }),
    responses: createResponseUrls(apiUrl),
    permalinks: createPermalinks(api),
    requestLimit: createRequestLimit(core.clock),
    linkLimit: createRequestLimit(core.clock),
    dashboardUrl: options.dashboardUrl,
  };
}

/** Requests of a workspace that has removed the app may still arrive. */
async function isInstalled(
  { api, core }: Incoming,
  { team, body }: SlackRequest,
): Promise<boolean> {
  const isKnown = (await api.botUserOf(team)) !== undefined || isAboutRemoval(body);
  if (!isKnown) core.log.warn("A request of a workspace without the app was ignored.", { team });
  return isKnown;
}

function isAboutRemoval({ event }: SlackRequest["body"]): boolean {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : "";
  return type === "app_uninstalled" || type === "tokens_revoked";
}
