import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import type { RunRequest } from "../../../app/ports/runner.ts";
import { createGeminiRunner } from "./runner.ts";

const REQUEST: RunRequest = {
  agentId: "impl-code-1794733200-a3f2",
  model: null,
  prompt: "依頼",
  workingDirectory: "/srv/app",
  access: "read-write",
  runDirectory: "/data/spool/run",
  mcp: {
    name: "kuromajutsu",
    command: ["/usr/bin/node", "/opt/kuromajutsu.js", "mcp"],
    variables: ["KUROMAJUTSU_AGENT_TOKEN"],
  },
};

const shape = z.looseObject({
  tools: z.object({
    core: z.array(z.string()).optional(),
    exclude: z.array(z.string()),
    allowed: z.array(z.string()),
  }),
  mcp: z.unknown().optional(),
  mcpServers: z.unknown().optional(),
});

function made(over: Partial<RunRequest> = {}) {
  const command = createGeminiRunner().command({ ...REQUEST, ...over }, "/bin/gemini");
  const [file] = command.files ?? [];
  return { ...command, settings: shape.parse(JSON.parse(file?.content ?? "")), file };
}

afterEach(() => vi.unstubAllEnvs());

test("a writing Gemini role approves every tool, a reading one none", () => {
  expect(made({ model: "gemini-2.5-pro" }).argv.join(" ")).toBe(
    "/bin/gemini --output-format stream-json --skip-trust --yolo --model gemini-2.5-pro",
  );
  expect(made({ access: "read-only" }).argv.join(" ")).toBe(
    "/bin/gemini --output-format stream-json --skip-trust",
  );
});

test("a reading Gemini role gets an allow-list without tools that write", () => {
  const { tools } = made({ access: "read-only" }).settings;

  expect(tools.core).toContain("read_file");
  for (const tool of ["write_file", "replace", "run_shell_command", "invoke_agent"]) {
    expect(tools.core).not.toContain(tool);
    expect(tools.exclude).toContain(tool);
  }
  expect(made().settings.tools.core).toBeUndefined();
  expect(made().settings.tools.exclude).toEqual(["invoke_agent"]);
});

test.each(["read-only", "read-write"] as const)(
  "a %s Gemini role may use our tools, also beside an allow-list of the user",
  (access) => {
    expect(made({ access }).settings.tools.allowed).toEqual(["mcp_kuromajutsu_*", "mcp_*"]);
  },
);

test("Gemini gets our server in a file of the run, with names of variables only", () => {
  const { env, file, settings } = made();

  expect(env).toMatchObject({
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join("/data/spool/run", file?.name ?? ""),
    GEMINI_CLI_NO_RELAUNCH: "true",
  });
  expect(settings.mcp).toEqual({ allowed: ["kuromajutsu"] });
  expect(settings.mcpServers).toEqual({
    kuromajutsu: {
      command: "/usr/bin/node",
      args: ["/opt/kuromajutsu.js", "mcp"],
      env: { KUROMAJUTSU_AGENT_TOKEN: "${KUROMAJUTSU_AGENT_TOKEN}" },
      trust: true,
      timeout: 3_600_000,
    },
  });
});

test("the settings of a Gemini run do not choose how the user signs in", () => {
  expect(made().settings).not.toHaveProperty("security");
});

test("the administrator's defaults stay in force during a Gemini run", () => {
  expect(made().env["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"]).toMatch(/system-defaults\.json$/);
  vi.stubEnv("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "/opt/gemini/defaults.json");
  expect(made().env["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"]).toBe("/opt/gemini/defaults.json");
});

test("a health check of Gemini may write nothing, but gets our server if there is one", () => {
  const { argv, settings } = made({ purpose: "health-check" });

  expect(argv).not.toContain("--yolo");
  expect(settings.tools.core).toContain("read_file");
  expect(settings.mcpServers).toHaveProperty("kuromajutsu");
  expect(made({ purpose: "health-check", mcp: null }).settings.mcpServers).toBeUndefined();
});

test("a continued Gemini session is named in the command", () => {
  expect(made({ resumeSession: "s-1" }).argv.join(" ")).toContain("--resume s-1");
});

test("the prompt shows our tools as Gemini shows them to its model", () => {
  expect(createGeminiRunner().toolName("report_result")).toBe("mcp_kuromajutsu_report_result");
});
