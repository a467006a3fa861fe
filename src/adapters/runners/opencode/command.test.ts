import { expect, test } from "vitest";
import { z } from "zod";
import type { RunRequest } from "../../../app/ports/runner.ts";
import { createOpencodeRunner } from "./runner.ts";

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
  agent: z.object({
    [REQUEST.agentId]: z.object({
      mode: z.literal("primary"),
      permission: z.record(z.string(), z.string()),
    }),
  }),
  mcp: z.record(z.string(), z.unknown()).optional(),
});

function made(over: Partial<RunRequest> = {}) {
  const command = createOpencodeRunner().command({ ...REQUEST, ...over }, "/bin/opencode");
  const config = shape.parse(JSON.parse(command.env["OPENCODE_CONFIG_CONTENT"] ?? ""));
  return { ...command, config, permission: config.agent[REQUEST.agentId]?.permission ?? {} };
}

/** OpenCode's own rule: the last matching entry decides. */
function decision(permission: Record<string, string>, tool: string): string | undefined {
  const matches = ([name]: readonly [string, string]): boolean =>
    name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : name === tool;
  return Object.entries(permission).findLast(matches)?.[1];
}

test("the OpenCode command runs an agent of the CLI whose name no project can know", () => {
  expect(made({ model: "mock/m1", resumeSession: "ses_1" }).argv.join(" ")).toBe(
    "/bin/opencode run --format json --agent impl-code-1794733200-a3f2 --title impl-code-1794733200-a3f2 --print-logs --log-level ERROR --session ses_1 --model mock/m1",
  );
});

test.each([
  ["read-write", "allow"],
  ["read-only", "deny"],
] as const)("for a %s role OpenCode's writing tools are set to %s", (access, expected) => {
  const { permission } = made({ access });

  for (const tool of ["edit", "bash", "other-server_delete"]) {
    expect({ tool, decision: decision(permission, tool) }).toEqual({ tool, decision: expected });
  }
  expect(decision(permission, "read")).toBe("allow");
  expect(decision(permission, "task")).toBe("deny");
  expect(decision(permission, "kuromajutsu_report_result")).toBe("allow");
});

test("a reading OpenCode role starts no program of the project, but follows its AGENTS.md", () => {
  const { env, config } = made({ access: "read-only" });

  expect(env["OPENCODE_DISABLE_PROJECT_CONFIG"]).toBe("1");
  expect(config["instructions"]).toEqual(["/srv/app/AGENTS.md"]);
  expect(made().env).not.toHaveProperty("OPENCODE_DISABLE_PROJECT_CONFIG");
  expect(made().config).not.toHaveProperty("instructions");
});

test("no permission of an OpenCode run waits for a person's answer", () => {
  for (const access of ["read-write", "read-only"] as const) {
    expect(Object.values(made({ access }).permission)).not.toContain("ask");
  }
});

test("OpenCode gets our server with names of variables only", () => {
  expect(made().config.mcp).toEqual({
    kuromajutsu: {
      type: "local",
      command: ["/usr/bin/node", "/opt/kuromajutsu.js", "mcp"],
      enabled: true,
      environment: { KUROMAJUTSU_AGENT_TOKEN: "{env:KUROMAJUTSU_AGENT_TOKEN}" },
      timeout: 3_600_000,
    },
  });
});

test("OpenCode works in the agent's directory, which it reads from PWD", () => {
  expect(made().env["PWD"]).toBe("/srv/app");
});

test("a health check of OpenCode may write nothing, but gets our server if there is one", () => {
  const { permission, config } = made({ purpose: "health-check" });

  expect(decision(permission, "edit")).toBe("deny");
  expect(config.mcp).toHaveProperty("kuromajutsu");
  expect(made({ purpose: "health-check", mcp: null }).config.mcp).toBeUndefined();
});

test("the prompt shows our tools as OpenCode shows them to its model", () => {
  expect(createOpencodeRunner().toolName("report_result")).toBe("kuromajutsu_report_result");
});
