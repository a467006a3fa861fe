import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Cli } from "../kit/mock-llm/script.ts";
import { binOf, PROGRAMS } from "./installed.ts";

/** The model that each CLI is set up with. Codex defers MCP tools only for a model that it knows. */
export const MODELS: Readonly<Record<Cli, string>> = {
  claude: "claude-sonnet-4-5",
  codex: "gpt-5.5",
  gemini: "gemini-2.5-pro",
  opencode: "mock/mock-model",
};

/**
 * Writes the user's configuration of all CLIs into a home, so that their models are the mock LLM, and
 * returns the environment of a shell of that user.
 */
export function aHome(home: string, llm: string): Record<string, string> {
  write(join(home, ".codex/config.toml"), [
    `model = "${MODELS.codex}"`,
    'model_provider = "mock"',
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = "${llm}/v1"`,
    'env_key = "OPENAI_API_KEY"',
    'wire_api = "responses"',
  ]);
  write(join(home, ".gemini/settings.json"), [
    JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      model: { name: MODELS.gemini },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  ]);
  const limit = { context: 1_000_000, output: 10_000 };
  const provider = {
    mock: {
      npm: "@ai-sdk/openai-compatible",
      name: "Mock",
      options: { baseURL: `${llm}/v1`, apiKey: "mock-key" },
      models: { "mock-model": { name: "Mock model", limit } },
    },
  };
  write(join(home, ".config/opencode/opencode.json"), [
    JSON.stringify({ model: MODELS.opencode, autoupdate: false, share: "disabled", provider }),
  ]);
  const bins = PROGRAMS.map(binOf);
  return {
    PATH: [...bins, dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: llm,
    ANTHROPIC_API_KEY: "mock-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    OPENAI_API_KEY: "mock-key",
    GOOGLE_GEMINI_BASE_URL: llm,
    GEMINI_API_KEY: "mock-key",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  };
}

function write(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}
