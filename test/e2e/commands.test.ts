import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../src/main/version.ts";
import {
  aDaemon,
  aPlace,
  aStdioClient,
  command,
  run,
  until,
  withFakeCursor,
} from "../kit/daemon.ts";
import { STDIO_SERVER } from "../kit/upstream/an-upstream.ts";

test("--version and package.json have the same version", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(VERSION).toBe(version);
});

test("status shows whether a daemon runs, and stop ends it", async () => {
  const place = aPlace();
  expect(await command(place, ["status"])).toMatchObject({ code: 3 });

  const daemon = await aDaemon(place);
  const status = await command(place, ["status", "--json"]);
  expect(JSON.parse(status.stdout)).toMatchObject({ pid: daemon.pid, url: daemon.url });

  const stopped = await command(place, ["stop"]);
  expect(stopped).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`pid ${daemon.pid}`),
  });
  expect(await command(place, ["stop"])).toMatchObject({ code: 0 });
});

const BANNER =
  "エージェントの CLI が見つからないため、リハーサルのみ行います。実際に作業させるには Cursor CLI、Claude Code、";

test("serve says that roles are only rehearsed, and no role line names a model", async () => {
  const place = aPlace({ KUROMAJUTSU_LOG_LEVEL: "debug" });
  await aDaemon(place);
  await until(() => place.log().includes("Health check complete."));
  await until(() => place.log().includes("Ctrl-C"));

  expect(place.log()).toContain(BANNER);
  expect(place.log()).not.toContain("No agent CLI");
  const roleLines = place
    .log()
    .split("\n")
    .filter((line) => line.includes("role=impl-code"));
  expect(roleLines).toEqual([expect.stringContaining("rehears")]);
  expect(place.log()).not.toContain("claude-4-sonnet");
});

test("serve with an agent CLI says nothing about rehearsing", async () => {
  const place = withFakeCursor(aPlace());
  await aDaemon(place);
  await until(() => place.log().includes("Health check complete."));
  await until(() => place.log().includes("Ctrl-C"));

  expect(place.log()).not.toMatch(/rehears|リハーサル/);
  expect(place.log()).toContain("エージェントは Cursor CLI で動きます。");
  expect(place.log()).toContain("model=claude-4-sonnet");
});

test("serve refuses an invalid configuration with path, line and what is expected", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, "agent:\n  maxConcurrent: many\n");

  const { code, stderr } = await command(place, ["serve"]);

  expect(code).toBe(1);
  expect(stderr).toContain(`${config}:2`);
  expect(stderr).toContain("many");
  expect(stderr).toContain("1 から 1000 までの整数を書いてください。");
});

test("the shim prints on stderr why its daemon cannot start", async () => {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), "agent: [broken\n");
  const shim = run(place, ["mcp"]);
  let said = "";
  shim.stderr?.on("data", (chunk) => (said += String(chunk)));
  shim.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');

  await until(() => said.includes("kuromajutsu.config.yaml"));

  expect(said).toContain("none could be started");
});

test("the shim answers initialize while its daemon starts; if that fails, the next request is answered with the reason", async () => {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), "agent:\n  maxConcurrent: many\n");
  const shim = run(place, ["mcp"]);
  let out = "";
  shim.stdout?.on("data", (chunk) => (out += String(chunk)));
  const closed = new Promise((resolve) => shim.once("close", resolve));
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const say = (message: object) =>
    shim.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({ id: 1, method: "initialize", params });
  say({ method: "notifications/initialized" });
  await until(() => existsSync(join(place.dataDir, "daemon.log")) && out.includes("\n"));
  // Longer than the daemon takes to fail at its start.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  say({ id: 2, method: "tools/list" });

  expect(await closed).toBe(1);

  const answers = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1, result: { serverInfo: { name: "kuromajutsu" } } },
    { id: 2, error: { message: expect.stringContaining("kuromajutsu.config.yaml:2") } },
  ]);
});

test("the shim reports a daemon that cannot start and exits, even if its client has left after initialize", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, "agent: [broken\n");
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const hello = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });

  for (let time = 0; time < 2; time++) {
    const shim = run(place, ["mcp"]);
    let said = "";
    shim.stderr?.on("data", (chunk) => (said += String(chunk)));
    shim.stdin?.end(`${hello}\n`);
    expect(await new Promise((resolve) => shim.once("close", resolve))).toBe(1);
    expect(said).toContain("none could be started");
  }
  expect(readdirSync(join(place.dir, "run"), { recursive: true }).join()).not.toContain("starting");
});

test("the stdout of mcp has only protocol lines", async () => {
  const place = aPlace({ KUROMAJUTSU_LOG_LEVEL: "debug" });
  const shim = run(place, ["mcp"]);
  let out = "";
  shim.stdout?.on("data", (chunk) => (out += String(chunk)));
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };
  shim.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await until(() => out.includes("\n"));
  shim.stdin?.end();
  await new Promise((resolve) => shim.once("close", resolve));

  for (const line of out.trim().split("\n"))
    expect(JSON.parse(line)).toHaveProperty("jsonrpc", "2.0");
});

test("SIGHUP loads the roles again and notifies clients of changed tools; an invalid file changes nothing", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, "roles: []\n");
  const daemon = await aDaemon(place);
  const { client, call } = await aStdioClient(place);
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);

  writeFileSync(
    config,
    "roles:\n  - id: poet\n    name: 詩人\n    description: 詩を書く\n    model: m\n    systemPrompt: 書く\n",
  );
  daemon.process.kill("SIGHUP");
  await until(() => changes === 1);
  expect(JSON.stringify(await call("list_roles"))).toContain("詩人");

  writeFileSync(config, "roles: 7\n");
  daemon.process.kill("SIGHUP");
  await until(() => place.log().includes("was not taken over"));
  expect(JSON.stringify(await call("list_roles"))).toContain("詩人");
});

test("reload applies limits and servers at once, and names the settings that need a restart", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, "agent: { runner: rehearsal, maxConcurrent: 1 }\n");
  const daemon = await aDaemon(place);
  const ask = async (path: string) =>
    JSON.stringify(await (await fetch(`${daemon.url}${path}`)).json());
  expect(await command(place, ["reload"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("を反映しました。\n"),
  });

  const server = JSON.stringify({ command: process.execPath, args: [STDIO_SERVER] });
  writeFileSync(
    config,
    `agent: { runner: rehearsal, maxConcurrent: 3, env: [EDITOR] }\nmcpServers: { odd: ${server} }\n`,
  );
  const taken = await command(place, ["reload"]);

  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("再起動後に反映されるもの: agent.env"),
  });
  expect(await ask("/api/system")).toContain('"maxConcurrent":3');
  await until(async () =>
    (await ask("/api/gateway")).includes('"name":"odd","transport":"stdio","status":"ready"'),
  );

  rmSync(config);
  expect(await command(place, ["reload"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not there any more"),
  });
  writeFileSync(config, "agent: { maxConcurrent: many }\n");
  const refused = await command(place, ["reload"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("maxConcurrent") });
  expect(refused.stderr).toMatch(/^何も変更しませんでした。/);
  expect(await ask("/api/system")).toContain('"maxConcurrent":3');

  await daemon.kill("SIGTERM");
  expect(await command(place, ["reload"])).toMatchObject({ code: 3 });
});
