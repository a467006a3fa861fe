import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDaemon, aPlace, aStdioClient, command, run, until } from "../kit/daemon.ts";

const lineShape = z.looseObject({ time: z.iso.datetime(), level: z.string(), message: z.string() });

function aPlaceWith(text: string, env: Record<string, string> = {}) {
  const place = aPlace(env);
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), text);
  return place;
}

const entriesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => lineShape.parse(JSON.parse(line)));

test("log.format json makes every line of the log a JSON object with the fields of the entry", async () => {
  const place = aPlaceWith("log: {format: json}\n");
  const daemon = await aDaemon(place);

  const ready = entriesOf(place.log()).find(({ message }) => message === "Ready.");
  expect(ready).toMatchObject({ level: "info", url: daemon.url, pid: daemon.pid });
});

test("log.file is used instead of stderr, is private, and is relative to the configuration", async () => {
  const place = aPlaceWith("log: {file: logs/daemon.log, format: json}\n");
  const file = join(place.dir, "logs", "daemon.log");
  const child = run(place, ["serve"]);
  let said = "";
  child.stderr?.on("data", (chunk) => (said += String(chunk)));

  await until(() => existsSync(file) && readFileSync(file, "utf8").includes('"Ready."'));

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(said).not.toContain('"message"');
  await command(place, ["stop"]);
});

test("a log file that cannot be written is an error that names it", async () => {
  const place = aPlaceWith("log: {file: /proc/nowhere/a.log}\n");

  const { code, stderr } = await command(place, ["serve"]);

  expect(code).toBe(1);
  expect(stderr).toContain("The log file /proc/nowhere/a.log cannot be written");
});

test("log.file of an untrusted file that was found by searching is not written", async () => {
  const place = aPlaceWith("log: {file: stolen.log}\n", { KUROMAJUTSU_CONFIG: "" });

  await aDaemon(place);

  expect(existsSync(join(place.dir, "stolen.log"))).toBe(false);
  expect(place.log()).toContain("log.file");
});

test("the daemon.log of a daemon that a client started is rotated", async () => {
  const place = aPlaceWith("log: {level: debug, maxSize_mb: 1, keepFiles: 2}\n");
  const log = join(place.dataDir, "daemon.log");
  const { call } = await aStdioClient(place);
  await call("list_roles");
  await until(() => existsSync(log) && readFileSync(log, "utf8").includes("Ready."));
  writeFileSync(log, "x".repeat(1_048_000), { flag: "a" });

  await until(async () => {
    await command(place, ["reload"]);
    return existsSync(`${log}.1`);
  });

  expect(readFileSync(`${log}.1`, "utf8")).toContain("Ready.");
  expect(statSync(log).size).toBeLessThan(1_000_000);
  await command(place, ["stop"]);
});
