import { onTestFinished } from "vitest";
import { agreeToInstall } from "./api/install.ts";
import type { CheckBlocks } from "./api/method.ts";
import { deliver, type Answer, type Delivery, type Transport } from "./delivery.ts";
import { anHttpMode } from "./http-mode.ts";
import type { RateLimits } from "./limits.ts";
import { startServer } from "./server.ts";
import type { SlackApp } from "./shapes.ts";
import { aSocketMode } from "./socket-mode.ts";
import { aWorkspace, type Slack, type Workspace } from "./workspace.ts";
import { addTeam, addToken, aWorld, BOT_SCOPES } from "./world.ts";

export type FakeSlackOptions = {
  /** How the app gets its payloads. HTTP mode needs `http.sendTo(address)` too. */
  readonly mode?: "socket" | "http";
  readonly app?: Partial<SlackApp>;
  /** Slack waits three seconds for an acknowledgement. */
  readonly ackWithinMs?: number;
  /** Slack tries an event again after a moment, a minute and five minutes. */
  readonly retryDelaysMs?: readonly number[];
  readonly limits?: Partial<RateLimits>;
  /** Refuses messages and views that Slack would refuse. */
  readonly check?: CheckBlocks;
  /** How long a stream may wait for its next part. */
  readonly streamIdleMs?: number;
  /** Slack's triggers are valid for three seconds. */
  readonly triggerMs?: number;
};

export type FakeSlack = Awaited<ReturnType<typeof aFakeSlack>>;

/**
 * Slack's servers on loopback, for the real client libraries and for a daemon in another process.
 * It has no workspace at first. The test ends it.
 */
export async function aFakeSlack(options: FakeSlackOptions = {}) {
  const { ackWithinMs = 3_000, retryDelaysMs = [200, 5_000, 25_000], limits = {} } = options;
  const world = aWorld(options.app);
  const sockets = aSocketMode(world.app.id, ackWithinMs);
  const http = anHttpMode(world.app.signingSecret, ackWithinMs);
  const server = await startServer({
    world,
    sockets,
    check: options.check ?? (() => []),
    limits: { perMinute: {}, burst: 10, speed: 1, now: () => Date.now(), ...limits },
    streamIdleMs: options.streamIdleMs ?? 120_000,
  });
  const ending = new AbortController();
  const transport: Transport = (delivery, retry) =>
    options.mode === "http" ? http.transport(delivery, retry) : sockets.transport(delivery, retry);
  const rules = { delaysMs: retryDelaysMs, signal: ending.signal };
  const answers: Answer[] = [];

  async function send(delivery: Delivery): Promise<Answer> {
    const answer = await deliver(transport, delivery, rules);
    answers.push(answer);
    return answer;
  }

  const { triggerMs = 3_000 } = options;
  const slack: Slack = { world, url: server.url, triggerMs, deliver: send };

  let isDown = false;
  async function goDown(): Promise<void> {
    isDown = true;
    await server.goDown();
  }
  onTestFinished(async () => {
    ending.abort();
    await sockets.closed(500);
    if (!isDown) await server.goDown();
  });

  return {
    app: world.app,
    /** For `slackApiUrl` and `SLACK_API_URL`. */
    apiUrl: `${server.url}/api/`,
    calls: server.calls,
    /** The calls of one method, oldest first. */
    callsOf: (method: string) => server.calls.filter((each) => each.method === method),
    faults: server.faults,
    sockets,
    http,
    /** What the app has answered so far. */
    answers,
    workspace(name: string, scopes: readonly string[] = BOT_SCOPES): Workspace {
      const team = addTeam(world, name);
      return aWorkspace(slack, team, addToken(world, team, scopes));
    },
    /** Delivers the same payload again, with the same event id. */
    repeat: (delivery: Delivery, retry = 1) =>
      transport(delivery, { number: retry, reason: "timeout" }),
    /** A person agrees on Slack's page; returns where the browser is sent back to. */
    agreeToInstall: (
      workspace: Pick<Workspace, "id">,
      person: { readonly id: string },
      authorizeUrl: string,
    ) => agreeToInstall(world, { teamId: workspace.id, userId: person.id }, authorizeUrl),
    /** Slack refuses connections and keeps its state. */
    goDown,
    async comeBack(): Promise<void> {
      await server.comeBack();
      isDown = false;
    },
  };
}
