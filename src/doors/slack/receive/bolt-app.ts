import { App, type Receiver } from "@slack/bolt";
import type { Log } from "../../../app/ports/world.ts";
import type { Fields } from "../../../base/narrow.ts";
import type { SlackApi } from "../slack-api.ts";
import { createBoltLog } from "./bolt-log.ts";
import type { SlackRequest } from "./inbox.ts";

export type Handle = (request: SlackRequest) => Promise<void>;

/** The handlers of the door, by what Slack calls the request. */
export type Handlers = {
  readonly events: Readonly<Record<string, Handle>>;
  readonly actions: Readonly<Record<string, Handle>>;
  readonly views: Readonly<Record<string, Handle>>;
  readonly shortcuts: Readonly<Record<string, Handle>>;
  readonly command: Handle;
  /** Clicks and modals of earlier versions of the app. */
  readonly unknown: Handle;
};

export type BoltAppOptions = {
  readonly api: Pick<SlackApi, "botUserOf">;
  readonly log: Log;
  readonly handlers: Handlers;
};

/** Bolt gets requests from the inbox only, and never a token: handlers call Slack through SlackApi. */
const NO_RECEIVER: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Dispatches stored requests to the handlers. Rejects with the error of a handler. */
export function createBoltApp({ api, log, handlers }: BoltAppOptions): Handle {
  const app = new App({
    receiver: NO_RECEIVER,
    logger: createBoltLog(log),
    convoStore: false,
    authorize: async ({ teamId = "" }) => {
      const botUserId = await api.botUserOf(teamId);
      return { teamId, ...(botUserId !== undefined && { botUserId }) };
    },
  });
  const inFlight = new WeakMap<object, { readonly request: SlackRequest; error?: unknown }>();

  /** Bolt logs errors and goes on, so they are kept for the inbox. */
  const run = (handle: Handle) => async (given: { readonly body: object }) => {
    const found = inFlight.get(given.body);
    if (!found) return;
    try {
      await handle(found.request);
    } catch (error) {
      found.error = error;
    }
  };

  for (const [type, handle] of Object.entries(handlers.events)) app.event(type, run(handle));
  for (const [id, handle] of Object.entries(handlers.actions)) app.action(id, run(handle));
  for (const [id, handle] of Object.entries(handlers.views)) app.view(id, run(handle));
  for (const [id, handle] of Object.entries(handlers.shortcuts)) app.shortcut(id, run(handle));
  app.command(/.*/, run(handlers.command));
  app.action(otherThan(handlers.actions), run(handlers.unknown));
  app.view(otherThan(handlers.views), run(handlers.unknown));
  app.shortcut(otherThan(handlers.shortcuts), run(handlers.unknown));
  app.error(async (error) => {
    throw error;
  });

  return async (request) => {
    const flight: { readonly request: SlackRequest; error?: unknown } = { request };
    const body = { ...request.body };
    inFlight.set(body, flight);
    await app.processEvent({ body, ack: (payload: Fields) => request.ack.send(payload) });
    if (flight.error !== undefined) throw flight.error;
  };
}

/** Every id except ours: two listeners for one click would both answer it. */
function otherThan(known: Readonly<Record<string, Handle>>): RegExp {
  const ids = Object.keys(known).map((id) => id.replaceAll(/[^\w]/g, "\\$&"));
  return new RegExp(`^(?!(?:${ids.join("|")})$)`);
}
