import { expect, test } from "vitest";
import * as z from "zod";
import { defaultConfig } from "./defaults.ts";
import { configSchema } from "./schema.ts";

test("an empty configuration has every default", () => {
  expect(configSchema.parse({})).toEqual({
    server: { bind: "127.0.0.1", trustedProxies: [], labels: [] },
    dashboard: { port: 9696, hosts: [], origins: [] },
    agent: {
      runner: "auto",
      rehearseWithoutCli: true,
      maxConcurrent: 10,
      maxQueued: 1000,
      maxOrchestrators: 4,
      limits: {},
      hardKillAfter_ms: 5000,
      lingerAfterEnd_ms: 30_000,
      maxRetries: 5,
      maxRetryTime_ms: 600_000,
      maxEvents: 1_000_000,
      maxToolCalls: 5_000,
      connectWithin_ms: 60_000,
      maxSpool_bytes: 1024 ** 3,
      acpCommand: [],
      env: [],
    },
    log: { level: "info", format: "text", maxSize_mb: 10, keepFiles: 5 },
    healthCheck: { enabled: true, cacheTtl_ms: 600_000, timeout_ms: 60_000, concurrency: 2 },
    history: { keep_days: 90 },
    store: { connections: 10, lease_ms: 10_000 },
    prices: { currency: "USD", models: {} },
    tasks: {
      maxRegenerations: 5,
      holdFor_ms: 180_000,
      unplannedTools: "ask",
      approval: "anyone",
      approvals: {},
      approvalExpiry_ms: 0,
      remindAfter_ms: 86_400_000,
      types: [],
    },
    workspace: {
      isolation: "auto",
      base: "head",
      copy: [],
      setupTimeout_ms: 600_000,
      checkTimeout_ms: 1_800_000,
      merge: { mode: "squash" },
      maxTotal_mb: 20_480,
      maxFile_mb: 10,
      maxNewFiles: 2_000,
      keepDecided_hours: 1,
      keepOpen_days: 14,
      keepRefs_days: 90,
      ports: { from: 20_000, to: 20_999, perAgent: 10 },
    },
    interrupt: { hardStopAfter_ms: 120_000 },
    telemetry: { serviceName: "kuromajutsu", interval_ms: 5_000 },
    alerts: { rules: [], webhooks: {} },
    mcpServers: {},
    slack: { mode: "auto", people: [], boards: [] },
    auth: { users: [] },
    roles: [],
    tools: [],
  });
});

test("the defaults without a file are those of an empty file", () => {
  expect(defaultConfig()).toEqual(configSchema.parse({}));
});

test("an empty section (null in YAML) has its defaults", () => {
  const everything = configSchema.parse({});
  const empty = Object.fromEntries(
    Object.keys(everything)
      .filter((key) => key !== "locale")
      .map((key) => [key, null]),
  );

  expect(configSchema.parse(empty)).toEqual(everything);
  expect(configSchema.parse({ prices: { models: null } })).toEqual(everything);
});

test("a role has only the fields that were written", () => {
  const { roles } = configSchema.parse({ roles: [{ id: "research" }, { id: "x", tools: null }] });

  expect(roles).toEqual([
    { id: "research", disabled: false },
    { id: "x", disabled: false, tools: [] },
  ]);
});

const aTool = { id: "t", name: "t", description: "t", promptInstructions: "t" };

test.each([
  { dashboard: { port: 0 } },
  { server: { bind: "0.0.0.0" } },
  { server: { bind: "::1" } },
  { server: { bind: "localhost" } },
  { dashboard: { port: 65_535 } },
  { agent: { defaultTimeout_ms: 300_000, maxConcurrent: 1, maxQueued: 1 } },
  { agent: { maxConcurrent: 1000, env: ["HTTPS_PROXY", "_x1"] } },
  { roles: [{ id: "a".repeat(40), model: { cursor: "a", rehearsal: "b" } }] },
  { roles: [{ id: "0-a", model: "gpt-5.2 high", access: "read-only", runner: "codex" }] },
  { tools: [{ ...aTool, check: ["npx", "t"] }] },
  { dashboard: { hosts: ["kuromajutsu.example.com", "10.0.0.5", "[fd00::1]"] } },
  { auth: { users: [{ id: "aoi@example.com", role: "viewer", tokenHash: "0".repeat(64) }] } },
  { tasks: { approval: { quorum: 2 }, approvals: { step: { approvers: ["aoi", "ben"] } } } },
  { locale: "en", log: { level: "debug" } },
  { log: { format: "json", file: "logs/daemon.log", maxSize_mb: 1, keepFiles: 0 } },
  { healthCheck: { enabled: false, cacheTtl_ms: 0, timeout_ms: 1, concurrency: 100 } },
  { history: { keep_days: 1 }, agent: { maxOrchestrators: 1 } },
  { prices: { currency: "JPY", models: { "gpt-5.2 high": { input: 0, output: 1.25 } } } },
  { prices: { models: { opus: { input: 1, output: 1, cacheRead: 0.1, cacheWrite: 2 } } } },
])("%j is accepted", (value) => {
  expect(configSchema.safeParse(value).error).toBeUndefined();
});

test.each([
  [{ server: { bind: "example.com" } }, "server.bind"],
  [{ server: { bind: "" } }, "server.bind"],
  [{ server: { bind: 0 } }, "server.bind"],
  [{ dashboard: { port: -1 } }, "dashboard.port"],
  [{ dashboard: { port: 65_536 } }, "dashboard.port"],
  [{ dashboard: { port: 9696.5 } }, "dashboard.port"],
  [{ dashboard: { port: "9696" } }, "dashboard.port"],
  [{ dashboard: { port: Number.NaN } }, "dashboard.port"],
  [{ dashboard: [] }, "dashboard"],
  [{ dashboard: { prot: 1 } }, "dashboard"],
  [{ agent: { maxConcurrent: 0 } }, "agent.maxConcurrent"],
  [{ agent: { maxConcurrent: 1001 } }, "agent.maxConcurrent"],
  [{ agent: { maxQueued: 0 } }, "agent.maxQueued"],
  [{ agent: { defaultTimeout_ms: 0 } }, "agent.defaultTimeout_ms"],
  [{ agent: { defaultTimeout_ms: null } }, "agent.defaultTimeout_ms"],
  // Node's timers would fire immediately.
  [{ agent: { defaultTimeout_ms: 2_147_483_648 } }, "agent.defaultTimeout_ms"],
  [{ agent: { hardKillAfter_ms: -5 } }, "agent.hardKillAfter_ms"],
  [{ agent: { lingerAfterEnd_ms: true } }, "agent.lingerAfterEnd_ms"],
  [{ agent: { maxSpool_bytes: "1GiB" } }, "agent.maxSpool_bytes"],
  [{ agent: { runner: "vim" } }, "agent.runner"],
  [{ agent: { env: "PATH" } }, "agent.env"],
  [{ agent: { env: ["A=B"] } }, "agent.env.0"],
  // Would change the identity of every agent.
  [{ agent: { env: ["KUROMAJUTSU_AGENT_TOKEN"] } }, "agent.env.0"],
  [{ agent: { maxOrchestrators: 0 } }, "agent.maxOrchestrators"],
  [{ log: { level: "INFO" } }, "log.level"],
  [{ log: { format: "xml" } }, "log.format"],
  [{ log: { file: "" } }, "log.file"],
  [{ log: { maxSize_mb: 0 } }, "log.maxSize_mb"],
  [{ log: { keepFiles: -1 } }, "log.keepFiles"],
  [{ healthCheck: { enabled: "yes" } }, "healthCheck.enabled"],
  [{ healthCheck: { cacheTtl_ms: -1 } }, "healthCheck.cacheTtl_ms"],
  [{ healthCheck: { timeout_ms: 2_147_483_648 } }, "healthCheck.timeout_ms"],
  [{ healthCheck: { concurrency: 0 } }, "healthCheck.concurrency"],
  [{ history: { keep_days: 0 } }, "history.keep_days"],
  [{ history: { keepDays: 3 } }, "history"],
  [{ prices: { currency: "usd" } }, "prices.currency"],
  [{ prices: { models: [] } }, "prices.models"],
  [{ prices: { models: { m: { input: 1 } } } }, "prices.models.m.output"],
  [{ prices: { models: { m: { input: -1, output: 1 } } } }, "prices.models.m.input"],
  [{ prices: { models: { m: { input: "1", output: 1 } } } }, "prices.models.m.input"],
  // The cost would be "Infinity".
  [{ prices: { models: { m: { input: 1, output: Infinity } } } }, "prices.models.m.output"],
  [{ locale: "fr" }, "locale"],
  [{ roles: {} }, "roles"],
  [{ roles: [{}] }, "roles.0.id"],
  [{ roles: [{ id: "Impl" }] }, "roles.0.id"],
  [{ roles: [{ id: "-a" }] }, "roles.0.id"],
  [{ roles: [{ id: "a_b" }] }, "roles.0.id"],
  [{ roles: [{ id: "a".repeat(41) }] }, "roles.0.id"],
  [{ roles: [{ id: "../a" }] }, "roles.0.id"],
  [{ roles: [{ id: "調査" }] }, "roles.0.id"],
  [{ roles: [{ id: "grp" }] }, "roles.0.id"],
  [{ roles: [{ id: "a", name: "" }] }, "roles.0.name"],
  [{ roles: [{ id: "a", systemPrompt: " \n" }] }, "roles.0.systemPrompt"],
  [{ roles: [{ id: "a", model: "" }] }, "roles.0.model"],
  [{ roles: [{ id: "a", model: "--force" }] }, "roles.0.model"],
  [{ roles: [{ id: "a", model: 4.1 }] }, "roles.0.model"],
  [{ roles: [{ id: "a", model: { vim: "x" } }] }, "roles.0.model"],
  [{ roles: [{ id: "a", access: "write" }] }, "roles.0.access"],
  [{ roles: [{ id: "a", disabled: "yes" }] }, "roles.0.disabled"],
  [{ roles: [{ id: "a", tools: "textlint" }] }, "roles.0.tools"],
  [{ tools: [{ ...aTool, check: [] }] }, "tools.0.check"],
  [{ tools: [{ ...aTool, check: "npx t" }] }, "tools.0.check"],
  [{ tools: [{ id: "t", name: "t", description: "t" }] }, "tools.0.promptInstructions"],
  [{ teams: {} }, ""],
  [{ slack: { mode: "rtm" } }, "slack.mode"],
  [{ slack: { people: [{ user: "tanaka", person: "tanaka" }] } }, "slack.people.0.user"],
  [{ slack: { boards: [{ channel: "#general" }] } }, "slack.boards.0.channel"],
  [[], ""],
])("%j is refused at %s", (value, path) => {
  const result = configSchema.safeParse(value);

  expect(result.error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

test("every setting has a description for the reference", () => {
  const undescribed: string[] = [];
  const walk = (schema: z.core.JSONSchema.BaseSchema, path: string) => {
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      if (typeof child === "boolean") continue;
      if (!child.description) undescribed.push(`${path}${key}`);
      walk(child, `${path}${key}.`);
      if (typeof child.items === "object" && !Array.isArray(child.items)) {
        walk(child.items, `${path}${key}[].`);
      }
    }
  };
  walk(z.toJSONSchema(configSchema), "");

  expect(undescribed).toEqual([]);
});
