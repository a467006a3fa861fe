import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { CLIENT_IDS, type ClientId } from "../../contract/mcp-clients.ts";
import { clientPlace, type Folders } from "./client-place.ts";
import { findClients } from "./find-clients.ts";

const FOLDERS: Folders = { project: "/p", home: "/h", env: {}, platform: "linux" };

const pathOf = (client: ClientId, scope: "nearest" | "project" | "global", folders = FOLDERS) => {
  const place = clientPlace(client, scope, folders);
  return place && join(place.base, ...place.names);
};

test.each([
  ["cursor", "/p/.cursor/mcp.json", "/h/.cursor/mcp.json"],
  ["claude", "/p/.mcp.json", "/h/.claude.json"],
  ["codex", undefined, "/h/.codex/config.toml"],
  ["gemini", "/p/.gemini/settings.json", "/h/.gemini/settings.json"],
  ["vscode", "/p/.vscode/mcp.json", "/h/.config/Code/User/mcp.json"],
  ["opencode", "/p/opencode.json", "/h/.config/opencode/opencode.json"],
] as const)("the files of %s", (client, project, global) => {
  expect(pathOf(client, "project")).toBe(project);
  expect(pathOf(client, "global")).toBe(global);
  expect(pathOf(client, "nearest")).toBe(project ?? global);
});

test("variables of the clients move their files", () => {
  const env = {
    CLAUDE_CONFIG_DIR: "/c",
    CODEX_HOME: "/x",
    GEMINI_CLI_HOME: "/g",
    XDG_CONFIG_HOME: "/u",
  };
  const moved = CLIENT_IDS.map((client) => pathOf(client, "global", { ...FOLDERS, env }));

  expect(moved).toEqual([
    "/h/.cursor/mcp.json",
    "/c/.claude.json",
    "/x/config.toml",
    "/g/.gemini/settings.json",
    "/u/Code/User/mcp.json",
    "/u/opencode/opencode.json",
  ]);
  const mac = { ...FOLDERS, platform: "darwin" } as const;
  expect(pathOf("vscode", "global", mac)).toBe("/h/Library/Application Support/Code/User/mcp.json");
});

test("OpenCode's file with comments is used if it is there", () => {
  const project = aTempDir();
  writeFileSync(join(project, "opencode.jsonc"), "{}");

  expect(pathOf("opencode", "nearest", { ...FOLDERS, project })).toBe(
    join(project, "opencode.jsonc"),
  );
});

test("findClients finds programs, files of the project and files of the user", async () => {
  const [project, home, bin] = [aTempDir(), aTempDir(), aTempDir()];
  const folders: Folders = { project, home, env: { PATH: bin }, platform: "linux" };
  expect(await findClients(folders)).toEqual([]);

  writeFileSync(join(bin, "opencode"), "", { mode: 0o755 });
  writeFileSync(join(home, ".claude.json"), "{}");
  mkdirSync(join(home, ".config", "Code"), { recursive: true });
  mkdirSync(join(project, ".gemini"));

  expect(await findClients(folders)).toEqual(["claude", "gemini", "vscode", "opencode"]);
});
