import type { Agent } from "../domain/agents/agent.ts";
import type { PriceList } from "../domain/agents/cost.ts";
import type { RunnerId } from "../domain/agents/runner.ts";
import type { ApprovalKind, ApprovalPolicy } from "../domain/approvals/approval.ts";
import type { AgentId, ExecutionId, TaskId } from "../domain/ids.ts";
import { LOCAL_PERSON, type Person } from "../domain/people/person.ts";
import type { Role, RoleTool } from "../domain/roles/role.ts";
import type { ClientKeys } from "./agents/client-keys.ts";
import type { Deadlines } from "./agents/deadlines.ts";
import type { Events } from "./events.ts";
import type { CallsInFlight } from "./gateway/calls-in-flight.ts";
import type { ToolPins } from "./gateway/tool-pins.ts";
import type { Health } from "./health/health.ts";
import type { Live } from "./live.ts";
import type { AuditLimit } from "./people/audit-limit.ts";
import type { AuditAnchor } from "./ports/audit-anchor.ts";
import type { CheckCommand } from "./ports/check-command.ts";
import type { ConfigTrust } from "./ports/config-trust.ts";
import type { HealthProbe } from "./ports/health.ts";
import type { People } from "./ports/people.ts";
import type { Runner } from "./ports/runner.ts";
import type { Store } from "./ports/store.ts";
import type { Supervisor } from "./ports/supervisor.ts";
import type { Upstream } from "./ports/upstream.ts";
import type { Clock, Directories, Log, Random, Tokens } from "./ports/world.ts";
import type { RoleEditing } from "./roles/role-editing.ts";

export type Settings = {
  readonly runner: RunnerId | "auto";
  /** false: with `auto` and no CLI installed, agents are refused. */
  readonly rehearseWithoutCli: boolean;
  readonly maxConcurrent: number;
  /** Beside maxConcurrent. */
  readonly maxOrchestrators: number;
  readonly maxQueued: number;
  readonly defaultTimeoutMs: number | null;
  /** How long a process may stay after it reported or said it was done. */
  readonly lingerMs: number;
  /** Where work happens when the caller names no directory and has none itself. */
  readonly homeDirectory: string;
  readonly healthCheck: HealthCheckSettings;
  readonly tasks: TaskSettings;
  readonly interrupt: {
    /** How long an agent may take to report after a stop notification; 0: for ever. */
    readonly hardStopAfterMs: number;
  };
  /** Language of the texts that are ours. */
  readonly locale: "ja" | "en";
  /** What tokens cost; a model without a price has no cost, not a cost of 0. */
  readonly prices: PriceList;
};

export type TaskSettings = {
  readonly maxRegenerations: number;
  /** How long a held call is kept before its agent is asked to end. */
  readonly holdForMs: number;
  readonly unplannedTools: "ask" | "allow" | "refuse";
  readonly approvals: Readonly<Record<ApprovalKind, ApprovalPolicy>>;
  /** null: approvals wait for ever. */
  readonly approvalExpiryMs: number | null;
  /** null: no reminders. */
  readonly remindAfterMs: number | null;
  /** Suggestions for the type of a task. */
  readonly types: readonly string[];
};

export type HealthCheckSettings = {
  /** Check by itself at the start; a check that is asked for runs anyway. */
  readonly enabled: boolean;
  readonly cacheTtlMs: number;
  readonly timeoutMs: number;
  /** How many CLIs are asked at the same time, beside the slots of the agents. */
  readonly concurrency: number;
};

/** What surrounds a process we start. */
export type Environment = {
  /** The allow-listed variables, our own, and the given keys. Values may be secret: never log them. */
  forAgent(
    agent: Agent,
    token: string,
    keys: Readonly<Record<string, string>>,
  ): Record<string, string>;
  /** What an agent of this runner gets, without any identity of an agent. */
  forProbe(runner: RunnerId): Record<string, string>;
  /** The daemon itself has this vendor variable. */
  has(name: string): boolean;
};

/** The one bag of dependencies every use case takes as its first argument. */
export type Core = {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly events: Events;
  /** For dashboards; the core itself subscribes to `events`. */
  readonly live: Live;
  readonly tokens: Tokens;
  readonly directories: Directories;
  readonly environment: Environment;
  readonly settings: Settings;
  readonly roles: ReadonlyMap<string, Role>;
  /** Those that draft and execute tasks; no client can ask for them. */
  readonly internalRoles: ReadonlyMap<string, Role>;
  readonly people: People;
  readonly upstream: Upstream;
  readonly calls: CallsInFlight;
  /** The head of the audit outside the database; without it only the chain itself is checked. */
  readonly auditAnchor?: AuditAnchor;
  /** Accepted definitions of upstream tools. */
  readonly pins: ToolPins;
  readonly roleTools: ReadonlyMap<string, RoleTool>;
  readonly runners: ReadonlyMap<RunnerId, Runner>;
  readonly supervisor: Supervisor;
  readonly clientKeys: ClientKeys;
  /** Bounds what refused requests write into the audit. */
  readonly auditLimit: AuditLimit;
  readonly deadlines: Deadlines;
  readonly health: Health;
  readonly healthProbe: HealthProbe;
  /** Of this program. */
  readonly version: string;
  /** Changes the configuration file; without it roles can only be read. */
  readonly editing?: RoleEditing;
  /** Whether the configuration file is trusted; absent where there is none to trust. */
  readonly trust?: ConfigTrust;
  /** Tells whether a role tool is installed. */
  readonly checkCommand?: CheckCommand;
  /** Looks at a task and does what is next for it; returns at once, one at a time per task. */
  advanceSoon(taskId: TaskId): void;
  /** Asks for free slots to be filled; returns at once, runs one at a time. */
  dispatchSoon(): void;
};

/**
 * The sender of a request, proved by a token, a cookie, a parent process or, without sign-in, by the
 * web door. An id in an argument proves nothing.
 */
export type Identity = PersonIdentity | ClientIdentity | AgentIdentity;

/** A person in a browser, a terminal, or behind an MCP client with the person's token. */
export type PersonIdentity = LocalContext & {
  readonly kind: "person";
  readonly person: Person;
};

/** An MCP client without a person's token. */
export type ClientIdentity = LocalContext & { readonly kind: "client" };

/** An agent that we started. */
export type AgentIdentity = {
  readonly kind: "agent";
  readonly agentId: AgentId;
  readonly role: string;
  /** The execution it works on; it never changes. Absent: not looked up yet. */
  readonly executionId?: ExecutionId | null;
  /** The keys it was started with; agents that it starts get them too. */
  readonly keys?: VendorKeys;
};

/** What a client on the local socket brings along; browsers and `/mcp` bring nothing. */
type LocalContext = {
  readonly cwd?: string | null;
  /** Vendor variables from the client's own configuration, such as an API key in mcp.json. */
  readonly keys?: VendorKeys;
};

type VendorKeys = Readonly<Record<string, string>>;

/** Without sign-in everyone on loopback is this one person. */
export const LOCAL_USER: PersonIdentity = { kind: "person", person: LOCAL_PERSON };
