import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { aPlace, aStdioClient, command, type Place } from "../kit/daemon.ts";
import { aTempDir } from "../kit/tmp-dir.ts";

const FILE = "kuromajutsu.config.yaml";
/** The tests start several processes on a machine that may be busy. */
vi.setConfig({ testTimeout: 120_000 });

/** A folder without a configuration file, outside of the home directory. */
function aFolderWithoutConfig(): Place {
  return { ...aPlace({ KUROMAJUTSU_CONFIG: "" }), dir: aTempDir() };
}

test("people added without a project file can sign in through a client that starts the daemon", async () => {
  const place = aFolderWithoutConfig();
  const added = await command(place, ["user", "add", "adam", "--role", "admin"]);
  expect(added.code).toBe(0);
  const asAdam = { ...place, env: { ...place.env, KUROMAJUTSU_TOKEN: added.stdout.trim() } };

  const { call } = await aStdioClient(asAdam);

  expect(await call("list_roles")).toHaveProperty("roles");
  const { stdout } = await command(place, ["status"]);
  expect(stdout).toContain(join(place.dataDir, FILE));
  expect(stdout).not.toContain("使われない設定");
  await command(asAdam, ["stop"]);
});

test("a background daemon uses only the configuration file that its client found", async () => {
  const place = aFolderWithoutConfig();
  const home = place.env["HOME"] ?? "";
  writeFileSync(join(home, FILE), JSON.stringify({ mcpServers: { x: { command: "/bin/true" } } }));

  const { call } = await aStdioClient(place);
  await call("list_roles");

  const { stdout } = await command(place, ["status"]);
  expect(stdout).not.toContain(join(home, FILE));
  await command(place, ["stop"]);
});

test("in the default data directory the configuration file of the daemon is used", async () => {
  const { dir, env } = aPlace({ KUROMAJUTSU_CONFIG: "", KUROMAJUTSU_DATA_DIR: "" });
  const dataDir = join(dir, ".local", "state", "kuromajutsu", "default");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const place: Place = { dir: dataDir, dataDir, env, log: () => "" };
  await command(place, ["user", "add", "adam", "--role", "admin"]);

  const { code, stderr } = await command(place, ["trust"]);

  expect(code).toBe(1);
  expect(stderr).toContain("ここから見つかる kuromajutsu.config.yaml はありません。");
});
