import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDaemon, type Place } from "../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../kit/postgres/daemon-place.ts";
import { aFakeSlack } from "../kit/slack/fake-slack.ts";

const tasksShape = z.object({ tasks: z.array(z.object({ request: z.string() })) });

const isConnected = ({ place }: { readonly place: Place }): boolean =>
  place.log().includes("connected to Slack");

test(
  "one of two servers is connected to Slack, and the other one when it is gone",
  { timeout: 120_000 },
  async () => {
    const url = await aMigratedUrl();
    const slack = await aFakeSlack({ mode: "socket" });
    const acme = slack.workspace("acme");
    const alice = acme.person("alice");
    const channel = acme.channel("general", [alice]);
    async function start() {
      const place = aPlaceOn(url, {
        SLACK_BOT_TOKEN: acme.botToken.value,
        SLACK_APP_TOKEN: slack.app.appToken,
        SLACK_API_URL: slack.apiUrl,
      });
      writeFileSync(
        join(place.dir, "kuromajutsu.config.yaml"),
        `store:\n  lease_ms: 2000\nslack:\n  mode: socket\n  people:\n    - { user: ${alice.id}, person: local }\n`,
      );
      return { place, daemon: await aDaemon(place) };
    }
    const servers = [await start(), await start()];
    await slack.sockets.connected(2);

    const leader = servers.find(isConnected);
    const other = servers.find((server) => server !== leader);
    if (!leader || !other) throw new Error("No server leads.");
    expect(isConnected(other)).toBe(false);
    const requests = async () => {
      const answer = await (await fetch(`${other.daemon.url}/api/tasks`)).json();
      return tasksShape.parse(answer).tasks.map(({ request }) => request);
    };
    await alice.mentions(channel, "first");
    await expect.poll(requests, { timeout: 20_000 }).toEqual(["first"]);

    await leader.daemon.kill("SIGKILL");
    await expect.poll(() => isConnected(other), { timeout: 20_000 }).toBe(true);
    await slack.sockets.connected(2);
    await alice.mentions(channel, "second");
    await expect.poll(requests, { timeout: 20_000 }).toHaveLength(2);
  },
);
