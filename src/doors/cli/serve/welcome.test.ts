import { expect, test } from "vitest";
import { createStyle, PLAIN_STYLE } from "../screen/style.ts";
import { renderWelcome, type Welcome } from "./welcome.ts";

const WELCOME: Welcome = {
  status: {
    version: "1.2.3",
    url: "http://127.0.0.1:9696",
    configPath: null,
    dataDir: "/home/aoi/.kuromajutsu",
    untrusted: null,
    addresses: [],
    signIn: false,
  },
  runsAgents: { kind: "no-cli", clis: ["Claude Code", "Codex CLI"] },
  command: "npx kuromajutsu",
  claudeCommand: "claude mcp add kuromajutsu -- npx -y kuromajutsu mcp",
};

test("the banner has one language: the address, what runs agents, and the next commands", () => {
  const en = renderWelcome(WELCOME, "en", PLAIN_STYLE);

  expect(en).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:9696/);
  expect(en).toContain(
    "● No agent CLI found: rehearsing. Install one of Claude Code or Codex CLI to do real work.",
  );
  expect(en).toMatch(/MCP clients +npx kuromajutsu init/);
  expect(en).toContain("claude mcp add kuromajutsu -- npx -y kuromajutsu mcp");
  expect(en).not.toMatch(/[\u3040-\u30FF]/);
  const ja = renderWelcome(WELCOME, "ja", PLAIN_STYLE);
  expect(ja).toContain("● エージェントの CLI が見つからないため、リハーサルのみ行います。");
  expect(ja).not.toContain("No agent CLI");
});

test("the banner names the CLIs that run agents", () => {
  const runsAgents = { kind: "clis", names: ["Claude Code", "Codex CLI"] } as const;

  expect(renderWelcome({ ...WELCOME, runsAgents }, "en", PLAIN_STYLE)).toContain(
    "Agents run with Claude Code and Codex CLI.",
  );
});

test("with sign-in the banner names KUROMAJUTSU_TOKEN and the addresses for the team", () => {
  const status = { ...WELCOME.status, signIn: true, addresses: ["http://192.0.2.7:9696"] };

  const banner = renderWelcome({ ...WELCOME, status }, "en", PLAIN_STYLE);

  expect(banner).toMatch(/For your team +http:\/\/192\.0\.2\.7:9696/);
  expect(banner).toContain("KUROMAJUTSU_TOKEN");
  expect(renderWelcome(WELCOME, "en", PLAIN_STYLE)).not.toContain("KUROMAJUTSU_TOKEN");
});

test("an untrusted file cannot write control characters into the banner", () => {
  const untrusted = {
    path: "/x",
    notUsed: ["servers \u001B[2J"],
    problem: null,
    command: "npx kuromajutsu trust",
  };
  const banner = renderWelcome(
    { ...WELCOME, status: { ...WELCOME.status, untrusted } },
    "en",
    PLAIN_STYLE,
  );

  expect(banner).not.toContain("\u001B");
  expect(banner).toContain("npx kuromajutsu trust");
});

test("the address is a link where the terminal shows links", () => {
  const style = createStyle({ colors: true, links: true });

  expect(renderWelcome(WELCOME, "en", style)).toContain("\u001B]8;;http://127.0.0.1:9696\u001B\\");
});
