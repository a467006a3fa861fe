import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aDaemon, aPlace, aStdioClient, command, readDaemonFile, until } from "../kit/daemon.ts";

const bindTo = (address: string): string => `server: {bind: "${address}"}\n`;

function aPlaceWith(text: string, env: Record<string, string> = {}) {
  const place = aPlace(env);
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), text);
  return place;
}

test("a daemon that a client starts listens on server.bind of the configuration", async () => {
  const place = aPlaceWith(bindTo("127.0.0.2"));

  const { call } = await aStdioClient(place);
  await call("list_roles");
  await until(() => readDaemonFile(place) !== undefined);

  const url = readDaemonFile(place)?.url ?? "";
  expect(url).toContain("//127.0.0.2:");
  await until(async () => (await fetch(`${url}/api/health/ready`)).status === 200);
  await command(place, ["stop"]);
});

test("serve --bind wins over the configuration, and is refused where anyone could reach it", async () => {
  const place = aPlaceWith(bindTo("127.0.0.2"));

  const refused = await command(place, ["serve", "--bind", "0.0.0.0"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--bind: "0.0.0.0" が指定されています。'),
  });
  const wrong = await command(place, ["serve", "--bind", "example.com"]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("127.0.0.1") });

  const daemon = await aDaemon(place, ["--bind", "127.0.0.3"]);
  expect(daemon.url).toContain("//127.0.0.3:");
});

test("an untrusted file that was found by searching does not open the daemon to others", async () => {
  const place = aPlaceWith(bindTo("0.0.0.0"), { KUROMAJUTSU_CONFIG: "" });

  const daemon = await aDaemon(place);

  expect(daemon.url).toContain("//127.0.0.1:");
  expect(place.log()).toContain("server.bind");
});
