import { Hono } from "hono";
import type { Core } from "../../app/core.ts";
import { runCoalesced } from "../../base/run-coalesced.ts";
import { problem } from "../../doors/http/problem.ts";
import type { Slack } from "./slack-door.ts";

const LOOK_EVERY_MS = 1_000;
const SLACK_PATHS = "/slack/*";

type Open = { readonly slack: Slack; readonly routes: Hono };

/**
 * Connects to Slack only while this server leads: with two connected servers each would answer, and
 * send every message. The rows of requests and messages let the next leader continue.
 */
export function slackOfLeader(
  core: Pick<Core, "isLeader" | "log">,
  connect: () => Promise<Slack | undefined>,
): Slack {
  let current: Open | undefined;
  let isClosed = false;
  let hasFailed = false;

  async function open(): Promise<void> {
    try {
      const slack = await connect();
      if (!slack) return;
      const routes = new Hono();
      slack.serve(routes);
      current = { slack, routes };
      hasFailed = false;
      core.log.info("This server leads, and is connected to Slack.");
    } catch (error) {
      if (!hasFailed) core.log.error("Slack could not be opened.", { error: String(error) });
      hasFailed = true;
    }
  }
  async function close(): Promise<void> {
    const old = current;
    current = undefined;
    await old?.slack.close();
  }
  const look = runCoalesced(async () => {
    if (!isClosed && core.isLeader()) {
      if (!current) await open();
    } else await close();
  });
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  void look();

  return {
    alertTarget: {
      send: async (address, message, signal) =>
        current?.slack.alertTarget.send(address, message, signal) ?? NOT_CONNECTED,
    },
    serve(app) {
      app.all(SLACK_PATHS, (context) =>
        current ? current.routes.fetch(context.req.raw) : notLeading(),
      );
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await look();
    },
  };
}

const NOT_CONNECTED = { isSent: false, reason: "This server is not connected to Slack." } as const;

function notLeading(): Response {
  return problem(
    503,
    "NOT_LEADING",
    "Another server is connected to Slack.",
    "With several servers use Socket Mode (slack.mode: socket).",
  );
}
