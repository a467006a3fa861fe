import { expect, test } from "vitest";
import { describePower } from "./describe-power.ts";
import { parseConfig } from "./parse-config.ts";
import { hashOfPowers, markOf, powersOf } from "./powers.ts";
import { withoutPowers } from "./without-powers.ts";

const TOKEN = "a".repeat(64);

function read(settings: unknown) {
  const { config, problems } = parseConfig(JSON.stringify(settings), "test.yaml");
  if (!config || problems.length > 0)
    throw new Error(problems.map(({ text }) => text.en).join("\n"));
  return config;
}

const namesOf = (settings: unknown): string[] =>
  powersOf(read(settings)).map(({ kind, name }) => `${kind} ${name}`);

test.each<[string, unknown, string]>([
  ["a program to start", { mcpServers: { x: { command: "sh" } } }, "server x"],
  ["an address to connect to", { mcpServers: { x: { url: "http://a.example" } } }, "server x"],
  [
    "a role tool",
    { tools: [{ id: "t", name: "T", description: "d", promptInstructions: "p" }] },
    "tool t",
  ],
  [
    "a variable for agents",
    { agent: { env: ["AWS_SECRET_ACCESS_KEY"] } },
    "variable AWS_SECRET_ACCESS_KEY",
  ],
  ["a host name", { dashboard: { hosts: ["evil.example"] } }, "host evil.example"],
  ["an origin", { dashboard: { origins: ["http://evil.example"] } }, "origin http://evil.example"],
  ["a person", { auth: { users: [{ id: "eve", tokenHash: TOKEN }] } }, "person eve"],
  ["the prompt of a role", { roles: [{ id: "research", systemPrompt: "x" }] }, "role research"],
  ["what a role is called", { roles: [{ id: "research", description: "x" }] }, "role research"],
  [
    "what a health check asks",
    { roles: [{ id: "research", healthCheckPrompt: "x" }] },
    "role research",
  ],
  ["tools of a role", { roles: [{ id: "research", mcpServers: ["*"] }] }, "role research"],
  ["write access", { roles: [{ id: "research", access: "read-write" }] }, "role research"],
  [
    "unplanned tools",
    { tasks: { unplannedTools: "allow" } },
    "unplanned-tools tasks.unplannedTools",
  ],
  ["a late kill", { agent: { hardKillAfter_ms: 5_001 } }, "stop agent.hardKillAfter_ms"],
  ["a late stop", { interrupt: { hardStopAfter_ms: 0 } }, "stop interrupt.hardStopAfter_ms"],
  ["more output", { agent: { maxSpool_bytes: 1_073_741_825 } }, "protection agent.maxSpool_bytes"],
  ["a quieter log", { log: { level: "warn" } }, "protection log.level"],
  ["a command for worktrees", { workspace: { setup: "npm ci" } }, "workspace workspace.setup"],
  ["a check before merges", { workspace: { check: "npm test" } }, "workspace workspace.check"],
  ["copies of ignored files", { workspace: { copy: [".env"] } }, "workspace workspace.copy .env"],
  ["another place for worktrees", { workspace: { root: "/x" } }, "workspace workspace.root"],
  ["shared directories", { workspace: { isolation: "none" } }, "protection workspace.isolation"],
  ["a role without worktree", { roles: [{ id: "research", isolation: "none" }] }, "role research"],
  ["labels of the server", { server: { labels: ["sandbox"] } }, "protection server.labels"],
  ["work done twice", { roles: [{ id: "research", onLost: "requeue" }] }, "role research"],
  ["a shorter history", { history: { keep_days: 89 } }, "protection history.keep_days"],
])("%s needs trust", (_name, settings, expected) => {
  expect(namesOf(settings)).toEqual([expected]);
});

test.each<[string, unknown]>([
  ["language, limits and prices", { locale: "en", agent: { runner: "cursor", maxConcurrent: 3 } }],
  ["worktrees for all", { workspace: { isolation: "worktree" } }],
  ["a role with worktrees", { roles: [{ id: "research", isolation: "worktree" }] }],
  ["smaller limits, kept longer", { workspace: { maxTotal_mb: 1, keepRefs_days: 91 } }],
  ["slots and limits", { server: { slots: 0 }, agent: { limits: { gpu: 1 } } }],
  ["a role with labels", { roles: [{ id: "research", labels: ["gpu"], onLost: "report" }] }],
  ["a port", { dashboard: { port: 0 } }],
  ["a server that is disabled", { mcpServers: { x: { command: "sh", disabled: true } } }],
  ["a role that is disabled", { roles: [{ id: "research", disabled: true }] }],
  ["the model of a role", { roles: [{ id: "research", model: "m", runner: "cursor" }] }],
  ["a role that may only read", { roles: [{ id: "impl-code", access: "read-only" }] }],
  ["stricter rules", { tasks: { unplannedTools: "refuse" }, interrupt: { hardStopAfter_ms: 1 } }],
  [
    "stricter limits",
    { agent: { maxSpool_bytes: 1_024 }, log: { level: "debug" }, history: { keep_days: 91 } },
  ],
])("%s needs no trust", (_name, settings) => {
  expect(namesOf(settings)).toEqual([]);
});

const hash = (server: unknown): string => hashOfPowers(read({ mcpServers: { x: server } }));

test("harmless changes and the order of keys keep the hash, any other change alters it", () => {
  const first = hash({ command: "sh", args: ["-c", "true"], env: { A: "1", B: "2" } });

  expect(hash({ env: { B: "2", A: "1" }, args: ["-c", "true"], command: "sh" })).toBe(first);
  expect(
    hash({ command: "sh", args: ["-c", "true"], env: { A: "1", B: "2" }, timeout_ms: 9 }),
  ).toBe(first);
  for (const other of [
    { command: "sh", args: ["-c true"], env: { A: "1", B: "2" } },
    { command: "sh", args: ["-c", "true"], env: { A: "1", B: "3" } },
    { command: "sh", args: ["-c", "true"], env: { A: "1", B: "2" }, cwd: ".." },
    {
      command: "sh",
      args: ["-c", "true"],
      env: { A: "1", B: "2" },
      tools: { write: { readOnly: true } },
    },
  ]) {
    expect(hash(other)).not.toBe(first);
  }
});

test("without trust only harmless and restricting settings remain", () => {
  const all = read({
    locale: "en",
    dashboard: { hosts: ["evil.example"] },
    agent: { env: ["SECRET"], hardKillAfter_ms: 99_999, maxConcurrent: 3 },
    interrupt: { hardStopAfter_ms: 0 },
    tasks: { unplannedTools: "allow", approval: { approvers: ["eve"] } },
    mcpServers: { x: { command: "sh" }, y: { url: "http://a.example" } },
    auth: { users: [{ id: "eve", role: "admin", tokenHash: TOKEN }] },
    tools: [{ id: "t", name: "T", description: "d", promptInstructions: "p", check: ["sh"] }],
    roles: [
      { id: "impl-code", systemPrompt: "x", access: "read-only", model: "m", tools: ["t"] },
      { id: "code-review", access: "read-write" },
      { id: "executor", systemPrompt: "x", mcpServers: ["x"] },
      { id: "own", name: "n", description: "d", model: "m", systemPrompt: "s" },
    ],
  });

  const left = withoutPowers(all, () => false);

  expect(powersOf(left)).toMatchObject([
    { kind: "person", name: "eve" },
    { kind: "role", name: "executor", content: { mcpServers: [] } },
  ]);
  expect(left).toMatchObject({
    locale: "en",
    agent: { env: [], hardKillAfter_ms: 5_000, maxConcurrent: 3 },
    interrupt: { hardStopAfter_ms: 120_000 },
    tasks: { unplannedTools: "ask", approval: { approvers: ["eve"] } },
    mcpServers: {},
    tools: [],
    auth: { users: [{ id: "eve", tokenHash: "0".repeat(64) }] },
  });
  expect(left.roles).toEqual([
    { id: "impl-code", disabled: false, model: "m", access: "read-only" },
    { id: "code-review", disabled: false },
    { id: "executor", disabled: false, mcpServers: [] },
  ]);
  expect(withoutPowers(all, () => true)).toEqual(all);
});

test("each power is trusted separately", () => {
  const before = read({ mcpServers: { x: { command: "sh" } } });
  const marks = new Set(powersOf(before).map(markOf));
  const after = read({ mcpServers: { x: { command: "sh" }, y: { command: "sh" } } });

  const left = withoutPowers(after, (power) => marks.has(markOf(power)));

  expect(Object.keys(left.mcpServers)).toEqual(["x"]);
});

test("a person sees where an argument ends, and sees invisible characters", () => {
  const [power] = powersOf(
    read({
      mcpServers: {
        x: {
          command: "sh",
          args: ["-c", "a b", "it's", "\u202E\u200B\u001B[2J"],
          env: { A: "b c" },
        },
      },
    }),
  );

  expect(power && describePower(power)).toEqual([
    String.raw`$ sh -c 'a b' 'it'\''s' '\u{202E}\u{200B}\u{1B}[2J'`,
    "env.A: b c",
  ]);
});

test("the person sees the whole command of a worktree", () => {
  const [power] = powersOf(read({ workspace: { setup: "npm ci && curl evil.example" } }));

  expect(power && describePower(power)).toEqual(["$ sh -c 'npm ci && curl evil.example'"]);
});

test("limits of an untrusted file apply where they are stricter than the defaults", () => {
  const config = read({
    workspace: { maxTotal_mb: 0, maxFile_mb: 2, keepOpen_days: 1, keepRefs_days: 200 },
  });

  const { workspace } = withoutPowers(config, () => false);

  expect(workspace).toMatchObject({
    maxTotal_mb: 20_480,
    maxFile_mb: 2,
    keepOpen_days: 14,
    keepRefs_days: 200,
  });
});
