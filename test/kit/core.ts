import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { resolveInternalRoles } from "../../src/adapters/config/resolve-roles.ts";
import { createGit } from "../../src/adapters/git/create-git.ts";
import { createInProcessJobs } from "../../src/adapters/jobs/in-process-jobs.ts";
import { createTemplateFiles } from "../../src/adapters/templates/template-files.ts";
import { createUpstream } from "../../src/adapters/upstream-mcp/upstream.ts";
import { createWorkspaceTools } from "../../src/adapters/workspace-tools/create-workspace-tools.ts";
import { createDirectories, systemRandom, systemTokens } from "../../src/adapters/world.ts";
import { createClientKeys } from "../../src/app/agents/client-keys.ts";
import { createDeadlines } from "../../src/app/agents/deadlines.ts";
import { createDispatcher } from "../../src/app/agents/dispatcher.ts";
import { recordObservations } from "../../src/app/agents/record-observations.ts";
import type { Core, Settings } from "../../src/app/core.ts";
import { createEvents, type Events } from "../../src/app/events.ts";
import { createCallsInFlight } from "../../src/app/gateway/calls-in-flight.ts";
import { createToolPins } from "../../src/app/gateway/tool-pins.ts";
import { createHealth } from "../../src/app/health/health.ts";
import { recallRunnerProblems } from "../../src/app/health/runner-problems.ts";
import { startJobs } from "../../src/app/jobs/start-jobs.ts";
import { createLive } from "../../src/app/live.ts";
import { createMergeQueue } from "../../src/app/merges/merge-queue.ts";
import { createAuditLimit } from "../../src/app/people/audit-limit.ts";
import { createSeenClients } from "../../src/app/people/seen-clients.ts";
import type { AlertTarget } from "../../src/app/ports/alert-target.ts";
import type { Runner } from "../../src/app/ports/runner.ts";
import type { Store } from "../../src/app/ports/store.ts";
import type { Adoption, Launch, Observation } from "../../src/app/ports/supervisor.ts";
import type { Upstream } from "../../src/app/ports/upstream.ts";
import { reactToEvents } from "../../src/app/react-to-events.ts";
import { createTaskAdvancer } from "../../src/app/tasks/task-advancer.ts";
import { createProvisioning } from "../../src/app/workspaces/provisioning.ts";
import { configSchema } from "../../src/contract/config/schema.ts";
import { EVENTS } from "../../src/contract/events/events.ts";
import { NO_PROGRESS, type AgentProgress } from "../../src/domain/agents/progress.ts";
import type { RunnerId } from "../../src/domain/agents/runner.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import type { Role } from "../../src/domain/roles/role.ts";
import { workspaceSettingsOf } from "../../src/main/daemon/workspace-settings.ts";
import { NOON } from "./builders.ts";
import { aSqliteStore } from "./sqlite-store.ts";
import { aTempDir } from "./tmp-dir.ts";

export type TestCore = Core & {
  readonly launches: Launch[];
  readonly adoptions: Adoption[];
  readonly steered: { agentId: AgentId; id: string; text: string }[];
  readonly stops: { agentId: AgentId; signal: string }[];
  readonly removedSpools: string[];
  /** The CLIs that are installed; a test may add and remove them. */
  readonly installed: Set<string>;
  advance(ms: number): void;
  /** Reports observations as a real supervisor does. */
  observe(...batch: Observation[]): Promise<void>;
  /** Resolves when the dispatcher and the task advancer have nothing left to do. */
  quiet(): Promise<void>;
};

export type ACore = {
  spooled?: readonly string[];
  settings?: Partial<Settings>;
  roles?: readonly Role[];
  /** The runners of this version; default: rehearsal and cursor. */
  runners?: readonly RunnerId[];
  hex?: () => string;
  /** The store of a core that was stopped; the caller closes it. */
  store?: Store;
  /** One of several servers on the same store. */
  serverId?: string;
  readonly isLeader?: () => boolean;
  /** Other hosts, and what this server knows of itself beside them. */
  readonly hosts?: (clock: Core["clock"]) => Pick<Core, "hostProblems" | "workers" | "sessions">;
  /** What this host offers to agents. */
  offer?: { slots?: number | null; labels?: readonly string[] };
  now?: number;
  upstream?: Upstream;
  alertTargets?: ReadonlyMap<string, AlertTarget>;
  /** The test has a merge queue of its own. */
  isMergeQueueClosed?: boolean;
};

const INTERNAL = resolveInternalRoles({ ...configSchema.parse({}), locale: "ja" });
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

const SHAPES = new Map<string, { parse(data: unknown): unknown }>(
  EVENTS.map(({ type, data }) => [type, data.strict()]),
);

/** The core that gets the events of a store, and the store behind a wrapper. */
const listening = new WeakMap<Store, Events>();
const wrapped = new WeakMap<Store, Store>();

/** A core with a real store, a manual clock and a supervisor that only records its calls. */
export async function aCore(over: ACore = {}): Promise<TestCore> {
  let now = over.now ?? NOON;
  let drawn = 0;
  const launches: Launch[] = [];
  const adoptions: Adoption[] = [];
  const steered: TestCore["steered"] = [];
  const stops: TestCore["stops"] = [];
  const removedSpools: string[] = [];
  const installed = new Set<string>(["rehearsal"]);
  const clock = { now: () => now };
  const runners = over.runners ?? (["rehearsal", "cursor"] as const);
  const deadlines = createDeadlines(clock);
  const health = createHealth(clock);
  const dispatcher = createDispatcher(() => core);
  const advancer = createTaskAdvancer(() => core);
  const provisioning = createProvisioning(() => core);
  const mergeQueue = createMergeQueue(() => core);
  const roles = over.roles ?? [aRole(), aRole({ id: "code-review", access: "read-only" })];
  const store = over.store ? (wrapped.get(over.store) ?? over.store) : await aSqliteStore();
  listening.get(store)?.close();
  const events = createEvents({ store, log: SILENT });
  listening.set(store, events);
  const misshapen = collectMisshapen(events);
  const templateHome = aTempDir();
  const core: TestCore = {
    launches,
    adoptions,
    steered,
    stops,
    removedSpools,
    installed,
    advance: (ms) => void (now += ms),
    observe: (...batch) => recordObservations(core, batch),
    async quiet() {
      for (let round = 0; round < 20; round++) {
        await new Promise((done) => setImmediate(done));
        await advancer.idle();
        await provisioning.idle();
      }
    },
    store,
    serverId: over.serverId ?? null,
    isLeader: over.isLeader ?? (() => true),
    ...over.hosts?.(clock),
    offer: { slots: () => over.offer?.slots ?? null, labels: () => over.offer?.labels ?? [] },
    clock,
    random: {
      hex: over.hex ?? (() => (drawn++).toString(16).padStart(4, "0")),
      ulid: (at) => `${at}-${drawn++}`,
    },
    log: SILENT,
    events,
    live: createLive(systemRandom.hex(8), events),
    tokens: systemTokens,
    directories: createDirectories(join(templateHome, "sample")),
    environment: {
      forAgent: (_agent, token, keys) => ({ TOKEN: token, ...keys }),
      forProbe: () => ({}),
      ownServer: { name: "kuromajutsu", command: ["/bin/kuromajutsu", "mcp"], variables: [] },
      commandName: "kuromajutsu",
      has: () => false,
    },
    settings: {
      runner: "auto",
      rehearseWithoutCli: true,
      maxConcurrent: 10,
      maxOrchestrators: 4,
      maxQueued: 1_000,
      labelLimits: {},
      defaultTimeoutMs: null,
      lingerMs: 30_000,
      bounds: { maxRetries: 5, maxRetryTimeMs: 600_000, maxEvents: 0, maxToolCalls: 0 },
      connectWithinMs: 60_000,
      homeDirectory: "/",
      hasSlack: false,
      slackInstallUrl: null,
      prices: { currency: "USD", models: {} },
      locale: "ja",
      chosenLocale: null,
      tasks: {
        maxRegenerations: 5,
        holdForMs: 180_000,
        unplannedTools: "ask",
        approvals: {
          prompt: { who: "anyone" },
          process: { who: "anyone" },
          step: { who: "anyone" },
          unplanned_tool: { who: "anyone" },
          call: { who: "anyone" },
          question: { who: "anyone" },
          outcome: { who: "anyone" },
          merge: { who: "anyone" },
        },
        approvalExpiryMs: null,
        remindAfterMs: null,
        types: [],
      },
      alerts: { locale: "ja", dashboardUrl: null, rules: [] },
      workspace: workspaceSettingsOf(configSchema.parse({}).workspace, {
        home: "/",
        dataDir: aTempDir(),
      }),
      interrupt: { hardStopAfterMs: 120_000 },
      healthCheck: { enabled: false, cacheTtlMs: 600_000, timeoutMs: 5_000, concurrency: 2 },
      ...over.settings,
    },
    roles: new Map(roles.map((role) => [role.id, role])),
    internalRoles: new Map(INTERNAL.map((role) => [role.id, role])),
    people: {
      isEnabled: false,
      list: () => [],
      find: () => undefined,
      findByTokenHash: () => undefined,
      tokenHashOf: () => undefined,
    },
    upstream:
      over.upstream ??
      createUpstream({
        servers: {},
        directory: "/",
        variables: {},
        version: "0",
        log: SILENT,
      }),
    calls: createCallsInFlight(over.serverId),
    pins: createToolPins({ listToolPins: () => core.store.listToolPins() }),
    roleTools: new Map(),
    runners: new Map(runners.map((id) => [id, aRunner(id, installed)])),
    supervisor: {
      runDirectory: (agentId, attempt) => `/runs/${agentId}.${attempt}`,
      launch: async (launch) => void launches.push(launch),
      adopt: (adoption) => void adoptions.push(adoption),
      has: () => false,
      liveAgents: () => [],
      steer: (agentId, _attempt, message) => void steered.push({ agentId, ...message }),
      stop: (agentId, signal) => void stops.push({ agentId, signal }),
      listSpooled: async () => over.spooled ?? [],
      removeSpool: async (agentIds) => void removedSpools.push(...agentIds),
      readTranscript: async (_id, _attempt, offset) => ({ lines: [], nextOffset: offset, size: 0 }),
      readOutputEnd: async (agentId, _attempt, maxBytes) =>
        `${"x".repeat(maxBytes)}${agentId}`.slice(-maxBytes),
      agentOfProcess: async () => undefined,
      close: async () => {},
    },
    alertTargets: over.alertTargets ?? new Map(),
    clientKeys: createClientKeys(),
    seenClients: createSeenClients(),
    auditLimit: createAuditLimit(clock),
    deadlines,
    health,
    healthProbe: {
      ask: async () => ({ ok: true, reason: null, responseMs: 1, failure: null }),
    },
    templates: createTemplateFiles(
      {
        builtin: fileURLToPath(new URL("../../templates", import.meta.url)),
        user: join(templateHome, "user"),
        folder: join(templateHome, "folder"),
      },
      over.serverId === undefined ? undefined : store,
    ),
    workspaceTools: createWorkspaceTools({ variables: process.env, extraNames: [] }),
    version: "0.0.0",
    jobs: store.jobs ?? createInProcessJobs(SILENT),
    advanceTask: advancer.advance,
    advanceSoon: advancer.advanceSoon,
    dispatchSoon: dispatcher.dispatchSoon,
    git: createGit({ directory: aTempDir(), environment: process.env }),
    provisioning,
    mergeSoon: mergeQueue.mergeSoon,
  };
  await recallRunnerProblems(core);
  dispatcher.open();
  if (!over.isMergeQueueClosed) mergeQueue.open();
  const stopReacting = reactToEvents(core);
  const stopJobs = startJobs(core);
  onTestFinished(async () => {
    stopReacting();
    await stopJobs();
    deadlines.close();
    await health.close();
    await advancer.close();
    await dispatcher.close();
    await provisioning.close();
    await mergeQueue.close();
    if (!over.store) await core.store.close();
    expect(misshapen).toEqual([]);
  });
  return core;
}

/** Every event of every test has exactly the shape of the contract. */
function collectMisshapen(events: Events): string[] {
  const problems: string[] = [];
  events.onAny(({ type, data }) => {
    try {
      SHAPES.get(type)?.parse(data);
    } catch (error) {
      problems.push(`${type}: ${String(error)}`);
    }
  });
  return problems;
}

/** The same core, which dies at each commit: nothing follows from it. */
export function dyingAtCommit(core: TestCore): TestCore {
  core.events.close();
  const store: Store = {
    ...core.store,
    transaction: (work) =>
      core.store.transaction((unit) => work({ ...unit, afterCommit: () => undefined })),
  };
  wrapped.set(store, core.store);
  const dying: TestCore = {
    ...core,
    store,
    advanceTask: async () => {},
    advanceSoon: () => {},
    dispatchSoon: () => {},
    mergeSoon: () => {},
    observe: (...batch) => recordObservations(dying, batch),
  };
  return dying;
}

export function aRole(over: Partial<Role> = {}): Role {
  return {
    id: "impl-code",
    name: "コード実装者",
    description: "コードの実装・修正を行う",
    systemPrompt: "あなたはコード実装の専門家です。\n",
    healthCheckPrompt: "Hello, respond with exactly: OK",
    model: "claude-4-sonnet",
    modelFrom: "default",
    runner: "auto",
    access: "read-write",
    isolation: "none",
    tools: [],
    mcpServers: [],
    ...over,
  };
}

export function aRunner(id: Runner["id"], installed: ReadonlySet<string>): Runner {
  return {
    id,
    stopSignal: "SIGTERM",
    defaultModel: null,
    vendorVariables: ["CURSOR_API_KEY"],
    usesOwnMcpEntry: true,
    toolName: (tool) => tool,
    diagnose: () => undefined,
    detect: async () => (installed.has(id) ? { command: `/bin/${id}` } : undefined),
    version: async () => undefined,
    models: async () => undefined,
    command: ({ prompt }, command) => ({ argv: [command], env: {}, stdin: prompt }),
    isDelta: () => false,
    parse: () => [],
  };
}

export function started(agentId: AgentId, attempt = 1): Observation {
  return {
    type: "started",
    agentId,
    attempt,
    pid: 4_242,
    pidStart: "99",
    bootId: "boot",
    at: NOON,
  };
}

export function ended(
  agentId: AgentId,
  over: Partial<Extract<Observation, { type: "ended" }>> = {},
): Observation {
  return {
    type: "ended",
    agentId,
    attempt: 1,
    progress: someProgress(),
    exitCode: 0,
    stderrTail: "",
    survivors: [],
    ...over,
  };
}

export function someProgress(over: Partial<AgentProgress> = {}): AgentProgress {
  return {
    ...NO_PROGRESS,
    toolCallCount: 3,
    lastMessage: "できました",
    end: { ok: true, text: "全部できました", durationMs: 10, error: null },
    ...over,
  };
}
