import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fieldsOf } from "../../src/base/narrow.ts";
import { aDaemon, aPlace, type Daemon, type Place } from "../kit/daemon.ts";
import { aFakeSlack, type FakeSlack } from "../kit/slack/fake-slack.ts";

const LONG_MS = 120_000;

/** A place whose daemon is connected to a Slack on loopback, where alice is the local person. */
async function aSlackPlace(mode: "socket" | "http", over: Record<string, string> = {}) {
  const slack = await aFakeSlack({ mode });
  const acme = slack.workspace("acme");
  const alice = acme.person("alice");
  const channel = acme.channel("general", [alice]);
  const place = aPlace({
    SLACK_BOT_TOKEN: acme.botToken.value,
    ...(mode === "socket"
      ? { SLACK_APP_TOKEN: slack.app.appToken }
      : { SLACK_SIGNING_SECRET: slack.app.signingSecret }),
    SLACK_API_URL: slack.apiUrl,
    ...over,
  });
  const config = [
    "slack:",
    `  mode: ${mode}`,
    ...(mode === "http" ? ["  publicUrl: http://127.0.0.1:9696"] : []),
    "  people:",
    `    - { user: ${alice.id}, person: local }`,
  ];
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), `${config.join("\n")}\n`);
  const start = async () => {
    const daemon = await aDaemon(place);
    if (mode === "socket") await slack.sockets.connected(2);
    else slack.http.sendTo(`${daemon.url}/slack/events`);
    return daemon;
  };
  return { slack, acme, alice, channel, place, start };
}

async function tasksOf({ url }: Daemon): Promise<readonly unknown[]> {
  const { tasks } = fieldsOf(await (await fetch(`${url}/api/tasks`)).json());
  return Array.isArray(tasks) ? tasks : [];
}

/** Everything that a daemon writes, except the spool of its agents. */
function written(place: Place): string {
  const files = readdirSync(place.dataDir, { withFileTypes: true }).filter((each) => each.isFile());
  const texts = files.map(({ name }) => readFileSync(join(place.dataDir, name), "latin1"));
  return [place.log(), ...texts].join("\n");
}

function secretsOf(slack: FakeSlack, token: string): readonly string[] {
  return [token, slack.app.appToken, slack.app.signingSecret];
}

describe.each(["socket", "http"] as const)("A daemon with Slack in %s mode", (mode) => {
  test(
    "creates the task of a mention once, although it is killed after the acknowledgement",
    { timeout: LONG_MS },
    async () => {
      const { slack, acme, alice, channel, place, start } = await aSlackPlace(mode);
      const first = await start();
      slack.faults.add("users.info", { delayMs: 60_000 }, { times: 10 });

      const sent = await alice.mentions(channel, "集計して");
      expect(sent).toMatchObject({ isAcked: true, attempts: { length: 1 } });
      expect(await tasksOf(first)).toEqual([]);
      await first.kill("SIGKILL");
      slack.faults.clear();
      const second = await start();

      await expect.poll(() => tasksOf(second), { timeout: 20_000 }).toHaveLength(1);
      expect(await slack.repeat(sent.delivery)).toMatchObject({ isAcked: true });
      await expect.poll(() => acme.cards(), { timeout: 20_000 }).not.toEqual([]);
      expect(await tasksOf(second)).toMatchObject([{ request: "集計して", requester: "local" }]);

      await second.kill("SIGTERM");
      const everything = written(place);
      for (const secret of secretsOf(slack, acme.botToken.value)) {
        expect(everything).not.toContain(secret);
      }
    },
  );

  test(
    "ends after the request that it handles, and keeps later ones",
    { timeout: LONG_MS },
    async () => {
      const { slack, alice, channel, start } = await aSlackPlace(mode);
      const first = await start();
      slack.faults.add("users.info", { delayMs: 2_000 });
      const sent = await alice.mentions(channel, "集計して");
      expect(sent.isAcked).toBe(true);

      await first.kill("SIGTERM");
      const second = await start();

      expect(await tasksOf(second)).toMatchObject([{ request: "集計して" }]);
    },
  );
});

test("a daemon loads what talks to Slack only with Slack", { timeout: LONG_MS }, async () => {
  const without = aPlace({ NODE_DEBUG: "esm" });
  const { place, start } = await aSlackPlace("socket", { NODE_DEBUG: "esm" });
  await aDaemon(without);
  await start();

  expect(without.log()).toContain("http-door");
  expect(without.log()).not.toContain("slack-door");
  expect(place.log()).toContain("slack-door");
});
