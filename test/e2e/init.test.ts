import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { CLIENT_IDS } from "../../src/contract/mcp-clients.ts";
import { aPlace, BIN, command, type Place } from "../kit/daemon.ts";

const INDEX = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
const ALL = ["--client", ...CLIENT_IDS];

/** A project below a home directory; nothing names its configuration file. */
function aProject(): Place & { readonly home: string } {
  const home = aPlace({ KUROMAJUTSU_CONFIG: "", LANG: "en_US.UTF-8" });
  const dir = join(home.dir, "project");
  mkdirSync(dir);
  return { ...home, dir, home: home.dir };
}

function filesOf(dir: string): Record<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(dir.length + 1), readFileSync(path, "utf8")]),
  );
}

const PROJECT_FILES = [
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".mcp.json",
  ".vscode/mcp.json",
  "kuromajutsu.config.yaml",
  "opencode.json",
];

test("init without a terminal shows what it would write, writes nothing and ends with 2", async () => {
  const place = aProject();
  writeFileSync(join(place.dir, ".mcp.json"), "{}");

  const { code, stdout } = await command(place, ["init"]);

  expect(code).toBe(2);
  expect(stdout).toContain("MCP clients: Claude Code\n");
  expect(stdout).toContain(`Claude Code: ${join(place.dir, ".mcp.json")} (addition)`);
  expect(stdout).toContain("kuromajutsu init --yes");
  expect(filesOf(place.dir)).toEqual({ ".mcp.json": "{}" });
});

test("init --yes writes the files of every client, and a second time changes nothing", async () => {
  const place = aProject();

  expect(await command(place, ["init", "--dry-run", ...ALL])).toMatchObject({ code: 0 });
  expect(filesOf(place.dir)).toEqual({});
  const first = await command(place, ["init", "--yes", ...ALL]);
  const written = filesOf(place.dir);
  const second = await command(place, ["init", ...ALL]);

  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(Object.keys(written).toSorted()).toEqual(PROJECT_FILES);
  expect(written["kuromajutsu.config.yaml"]).toMatch(/^locale: en$/m);
  const { "kuromajutsu.config.yaml": _config, ...clients } = written;
  for (const text of Object.values(clients)) expect(text).toContain(BIN);
  const codex = join(place.home, ".codex", "config.toml");
  expect(readFileSync(codex, "utf8")).toMatch(/^\[mcp_servers\.kuromajutsu\]\n/);
  expect(statSync(codex).mode & 0o777).toBe(0o600);
  expect(second).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("There is nothing to change."),
  });
  expect(filesOf(place.dir)).toEqual(written);
});

test("init lists the agent CLIs that are installed, each once", async () => {
  const place = aProject();
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  for (const name of ["claude", "gemini"]) writeFileSync(join(bin, name), "", { mode: 0o755 });
  const env = { ...place.env, PATH: `${bin}:${place.env["PATH"]}` };

  const { stdout } = await command({ ...place, env }, ["init", "--dry-run"]);

  expect(stdout).toContain(`Agent CLIs: claude (${bin}/claude), gemini (${bin}/gemini)\n`);
});

test("init trusts the configuration file that it writes", async () => {
  const place = aProject();

  await command(place, ["init", "--yes", "--runner", "rehearsal"]);
  const { stdout } = await command(place, ["trust", "--list"]);

  expect(stdout).toContain(join(place.dir, "kuromajutsu.config.yaml"));
  expect(filesOf(place.dir)["kuromajutsu.config.yaml"]).toMatch(/^agent:\n {2}runner: rehearsal$/m);
});

test("init never changes an existing configuration file", async () => {
  const place = aProject();
  const path = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(path, "locale: en # mine\n");

  const { stdout } = await command(place, ["init", "--yes", "--runner", "rehearsal"]);

  expect(stdout).toContain("agent: { runner: rehearsal }");
  expect(readFileSync(path, "utf8")).toBe("locale: en # mine\n");
});

test("init --global writes only files of the user, and a project then needs none", async () => {
  const place = aProject();
  mkdirSync(place.dataDir);

  const { code } = await command(place, ["init", "--yes", "--global", ...ALL]);

  expect(code).toBe(0);
  expect(filesOf(place.dir)).toEqual({});
  for (const name of [".claude.json", ".config/opencode/opencode.json", ".cursor/mcp.json"]) {
    expect(statSync(join(place.home, name)).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(place.dataDir)).toContain("kuromajutsu.config.yaml");
  const again = await command(place, ["init", "--yes", "--client", "cursor", "claude"]);
  expect(again.stdout).toContain(`Cursor: ${join(place.home, ".cursor", "mcp.json")}\n  It is`);
  expect(Object.keys(filesOf(place.dir))).toEqual(["kuromajutsu.config.yaml"]);
});

test("init --project writes no file outside of the project", async () => {
  const place = aProject();

  const { code, stdout } = await command(place, ["init", "--yes", "--project", ...ALL]);

  expect(code).toBe(0);
  expect(stdout).toContain("Codex: It has no file for a project");
  expect(readdirSync(place.home)).not.toContain(".codex");
});

test("init in the home directory writes files of the user and refuses --project", async () => {
  const project = aProject();
  const home = { ...project, dir: project.home };

  expect(await command(home, ["init", "--yes", "--project"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The home directory is no project."),
  });
  await command(home, ["init", "--yes", "--client", "claude"]);

  expect(readdirSync(project.home)).toContain(".claude.json");
  expect(readdirSync(project.home)).not.toContain(".mcp.json");
  expect(readdirSync(project.home)).not.toContain("kuromajutsu.config.yaml");
});

test("init writes no configuration file that would not be used, because others may change its folder", async () => {
  const place = aProject();
  chmodSync(place.dir, 0o777);

  const { code, stdout } = await command(place, ["init", "--yes"]);

  expect(code).toBe(1);
  expect(stdout).toContain(`chmod go-w ${place.dir}`);
  expect(filesOf(place.dir)).toEqual({});
});

test("init refuses a broken file with its line, keeps it, and writes the others", async () => {
  const place = aProject();
  const broken = `{\n  "a": 1\n  "b": 2\n}\n`;
  writeFileSync(join(place.dir, ".mcp.json"), broken);

  const { code, stdout } = await command(place, ["init", "--yes", "--client", "claude", "vscode"]);

  expect(code).toBe(1);
  expect(stdout).toContain(`${join(place.dir, ".mcp.json")}:3:3`);
  expect(filesOf(place.dir)[".mcp.json"]).toBe(broken);
  expect(filesOf(place.dir)[".vscode/mcp.json"]).toContain(BIN);
});

test("init refuses both scopes at once, an unknown client, and an agent as caller", async () => {
  const place = aProject();
  const inAgent = { ...place, env: { ...place.env, KUROMAJUTSU_AGENT_ID: "impl-code-1-0000" } };

  expect(await command(place, ["init", "--global", "--project"])).toMatchObject({ code: 1 });
  expect(await command(place, ["init", "--client", "emacs"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cursor"),
  });
  expect(await command(inAgent, ["init", "--yes"])).toMatchObject({ code: 1 });
  expect(filesOf(place.dir)).toEqual({});
});

async function toolsOf(place: Place, program: string, args: string[]): Promise<readonly string[]> {
  const { dir: cwd, env } = place;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: program, args, cwd, env, stderr: "ignore" }),
  );
  onTestFinished(() => client.close());
  return (await client.listTools()).tools.map(({ name }) => name);
}

test("the entry that init writes starts our MCP server", async () => {
  const place = aProject();
  await command(place, ["init", "--yes", "--client", "cursor"]);
  const shape = z.object({ command: z.string(), args: z.array(z.string()) });
  const file = z.object({ mcpServers: z.object({ kuromajutsu: shape }) });
  const { mcpServers } = file.parse(JSON.parse(filesOf(place.dir)[".cursor/mcp.json"] ?? ""));

  const { command: program, args } = mcpServers.kuromajutsu;

  expect(await toolsOf(place, program, args)).toContain("run_agents");
});

test("src/index.ts of a checkout is our MCP server", async () => {
  expect(await toolsOf(aProject(), process.execPath, [INDEX])).toContain("run_agents");
});
