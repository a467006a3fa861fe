import type { Agent } from "../domain/agents/agent.ts";
import type { Bounds } from "../domain/agents/bounds.ts";
import type { PriceList } from "../domain/agents/cost.ts";
import type { RunnerChoice, RunnerId } from "../domain/agents/runner.ts";
import type { AlertRule } from "../domain/alerts/alert-rules.ts";
import type { ApprovalKind, ApprovalPolicy } from "../domain/approvals/approval.ts";
import type { AgentId, ExecutionId, TaskId } from "../domain/ids.ts";
import type { Locale } from "../domain/locale.ts";
import type { MergeMode } from "../domain/merges/merge.ts";
import { LOCAL_PERSON, type Person } from "../domain/people/person.ts";
import type { Role, RoleTool } from "../domain/roles/role.ts";
import type { Isolation } from "../domain/workspaces/workspace.ts";
import type { ClientKeys } from "./agents/client-keys.ts";
import type { Deadlines } from "./agents/deadlines.ts";
import type { Events } from "./events.ts";
import type { CallsInFlight } from "./gateway/calls-in-flight.ts";
import type { ToolPins } from "./gateway/tool-pins.ts";
import type { Health } from "./health/health.ts";
import type { Live } from "./live.ts";
import type { AuditLimit } from "./people/audit-limit.ts";
import type { SeenClients } from "./people/seen-clients.ts";
import type { AgentHost } from "./ports/agent-host.ts";
import type { AlertTarget } from "./ports/alert-target.ts";
import type { AuditAnchor } from "./ports/audit-anchor.ts";
import type { CheckCommand } from "./ports/check-command.ts";
import type { ConfigTrust } from "./ports/config-trust.ts";
import type { Git } from "./ports/git.ts";
import type { HealthProbe } from "./ports/health.ts";
import type { HostProblems } from "./ports/host-problems.ts";
import type { Jobs } from "./ports/jobs.ts";
import type { People } from "./ports/people.ts";
import type { McpEntry, Runner } from "./ports/runner.ts";
import type { Servers } from "./ports/servers.ts";
import type { SharedState } from "./ports/shared-state.ts";
import type { Store } from "./ports/store.ts";
import type { Supervisor } from "./ports/supervisor.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import type { TemplateFiles } from "./ports/template-files.ts";
import type { Transcripts } from "./ports/transcripts.ts";
import type { Placement, Upstream } from "./ports/upstream.ts";
import type { Workers } from "./ports/workers.ts";
import type { WorkspaceTools } from "./ports/workspace-tools.ts";
import type { Clock, Directories, Log, Random, Tokens } from "./ports/world.ts";
import type { RoleEditing } from "./roles/role-editing.ts";
import type { WorkerSessions } from "./workers/worker-sessions.ts";
import type { Provisioning } from "./workspaces/provisioning.ts";

export type Settings = {
  readonly runner: RunnerChoice;
  /** false: with `auto` and no CLI installed, agents are refused. */
  readonly rehearseWithoutCli: boolean;
  readonly maxConcurrent: number;
  /** In addition to maxConcurrent. */
  readonly maxOrchestrators: number;
  readonly maxQueued: number;
  /** How many agents with a label are alive at once, on all hosts together. */
  readonly labelLimits: Readonly<Record<string, number>>;
  readonly defaultTimeoutMs: number | null;
  /** How long a process may stay after the agent's report or last event. */
  readonly lingerMs: number;
  readonly bounds: Bounds;
  /** An agent that has not connected to our MCP server by then after its start is degraded. */
  readonly connectWithinMs: number;
  /** The working directory if neither the request nor the caller has one. */
  readonly homeDirectory: string;
  readonly healthCheck: HealthCheckSettings;
  readonly tasks: TaskSettings;
  readonly alerts: AlertSettings;
  readonly workspace: WorkspaceSettings;
  readonly interrupt: {
    /** Time between a stop notification and the hard stop of the agent; 0: no hard stop. */
    readonly hardStopAfterMs: number;
  };
  /** The language of what the daemon writes by itself. */
  readonly locale: Locale;
  /** The language that the configuration names for everyone; null: each request decides. */
  readonly chosenLocale: Locale | null;
  /** Whether the daemon is connected to Slack. */
  readonly hasSlack: boolean;
  /** Where people begin to install the Slack app; null: it is not installed by links here. */
  readonly slackInstallUrl: string | null;
  /** What tokens cost; a model without a price has no cost, not a cost of 0. */
  readonly prices: PriceList;
};

/** Worktrees of agents, their changes and merges. */
export type WorkspaceSettings = {
  /** For roles that do not name one. */
  readonly isolation: Isolation;
  /** Where worktrees are made; absolute. */
  readonly root: string;
  /** Where the work begins if the caller does not say. */
  readonly base: "head" | "working-tree";
  /** Globs of ignored files that are copied into a new worktree. */
  readonly copy: readonly string[];
  /** A line for `sh -c` in a new worktree; null: none. */
  readonly setup: string | null;
  readonly setupTimeoutMs: number;
  /** A line for `sh -c` that must end with 0 before a change lands; null: none. */
  readonly check: string | null;
  readonly checkTimeoutMs: number;
  readonly mergeMode: MergeMode;
  /** null: the branch that was checked out where the work was asked for. */
  readonly mergeTarget: string | null;
  /** null: no limit. */
  readonly maxTotalBytes: number | null;
  readonly maxFileBytes: number;
  readonly maxNewFiles: number;
  /** How long a directory stays after its change was merged or discarded. */
  readonly keepDecidedMs: number;
  /** How long a directory stays without a decision; its change stays as commits. */
  readonly keepOpenMs: number;
  /** How long the commits of a decided change stay. */
  readonly keepRefsMs: number;
  readonly ports: { readonly from: number; readonly to: number; readonly perAgent: number };
};

export type AlertSettings = {
  /** The language of alerts; that of `Settings` may be another one. */
  readonly locale: Locale;
  /** For links; null: alerts have none. */
  readonly dashboardUrl: string | null;
  /** Empty: alerts are off. */
  readonly rules: readonly AlertRule[];
};

export type TaskSettings = {
  readonly maxRegenerations: number;
  /** How long a call is held before its agent is asked to end. */
  readonly holdForMs: number;
  readonly unplannedTools: "ask" | "allow" | "refuse";
  readonly approvals: Readonly<Record<ApprovalKind, ApprovalPolicy>>;
  /** null: approvals never expire. */
  readonly approvalExpiryMs: number | null;
  /** null: no reminders. */
  readonly remindAfterMs: number | null;
  /** Suggestions for the type of a task. */
  readonly types: readonly string[];
};

export type HealthCheckSettings = {
  /** Whether to check at the daemon's start; a requested check always runs. */
  readonly enabled: boolean;
  readonly cacheTtlMs: number;
  readonly timeoutMs: number;
  /** How many CLIs are asked concurrently, in addition to the slots of the agents. */
  readonly concurrency: number;
};

/** The environment variables of the processes we start. */
export type Environment = {
  /** The allow-listed variables, our own, and the given keys. Values may be secret: never log them. */
  forAgent(
    agent: Agent,
    token: string,
    keys: Readonly<Record<string, string>>,
  ): Record<string, string>;
  /** The variables of an agent of this runner, with a one-run token instead of an agent's identity. */
  forProbe(
    runner: RunnerId,
    token?: string,
    keys?: Readonly<Record<string, string>>,
  ): Record<string, string>;
  /** How an agent's CLI starts our MCP server. */
  readonly ownServer: McpEntry;
  /** How a person starts this program in a terminal: `kuromajutsu` or `npx kuromajutsu`. */
  readonly commandName: string;
  /** Whether the daemon itself has this vendor variable. */
  has(name: string): boolean;
};

/** What a server or a worker offers to agents. */
export type HostOffer = {
  /**
   * How many agents may run there; null: as many as the limits of the installation allow. 0: none,
   * not even those that take no slot.
   */
  slots(): number | null;
  labels(): readonly string[];
};

/** The one bag of dependencies every use case takes as its first argument. */
export type Core = {
  readonly store: Store;
  /** This server among those that share the store; null: it has the store for itself. */
  readonly serverId: string | null;
  /** Whether this server does what only one of them must do, such as sending alerts. */
  isLeader(): boolean;
  /** The servers that share the store; absent: this one has it for itself. */
  readonly servers?: Pick<Servers, "id" | "list">;
  /** What the doors of all servers must know; absent like `servers`. */
  readonly shared?: SharedState;
  /** Another machine on which the agents of this core run; absent: they run on this one. */
  readonly host?: AgentHost;
  /** What the host offers; absent: as many slots as the limits allow, and no labels. */
  readonly offer?: HostOffer;
  /** The workers of this installation; absent like `servers`. */
  readonly workers?: Workers;
  /** CLIs that this server cannot use for a while; absent like `servers`. Workers have their own. */
  readonly hostProblems?: HostProblems;
  /** Asks the workers that are connected to this server; absent like `servers`. */
  readonly sessions?: Pick<WorkerSessions, "reportOn">;
  /** Transcripts of agents of all servers; absent like `servers`: then the spool has all. */
  readonly transcripts?: Pick<
    Transcripts,
    "read" | "readEnd" | "remove" | "removeBefore" | "prepare"
  >;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Absent: OpenTelemetry is off. */
  readonly telemetry?: Telemetry;
  readonly events: Events;
  /** For dashboards; the core itself subscribes to `events`. */
  readonly live: Live;
  readonly tokens: Tokens;
  readonly directories: Directories;
  readonly environment: Environment;
  readonly settings: Settings;
  readonly roles: ReadonlyMap<string, Role>;
  /** Roles that draft and execute tasks; clients cannot use them. */
  readonly internalRoles: ReadonlyMap<string, Role>;
  readonly people: People;
  readonly upstream: Upstream;
  readonly calls: CallsInFlight;
  /** Which server carries out calls of an upstream server with one copy; absent like `servers`. */
  readonly placement?: Placement;
  /** The audit's head outside the database; without it only the hash chain is verified. */
  readonly auditAnchor?: AuditAnchor;
  /** Accepted definitions of upstream tools. */
  readonly pins: ToolPins;
  readonly roleTools: ReadonlyMap<string, RoleTool>;
  readonly runners: ReadonlyMap<RunnerId, Runner>;
  readonly supervisor: Supervisor;
  /** Where alerts go, by the part of a target before the colon. */
  readonly alertTargets: ReadonlyMap<string, AlertTarget>;
  readonly clientKeys: ClientKeys;
  readonly seenClients: SeenClients;
  /** Limits the audit entries of refused requests. */
  readonly auditLimit: AuditLimit;
  readonly deadlines: Deadlines;
  readonly health: Health;
  readonly healthProbe: HealthProbe;
  readonly templates: TemplateFiles;
  readonly git: Git;
  /** Prepares the worktrees of agents that are due, and captures the changes of those that ended. */
  readonly provisioning: Provisioning;
  readonly workspaceTools: WorkspaceTools;
  readonly version: string;
  /** Changes the configuration file; without it roles can only be read. */
  readonly editing?: RoleEditing;
  /** Whether the configuration file is trusted; absent where there is none to trust. */
  readonly trust?: ConfigTrust;
  /** Checks whether a role tool is installed. */
  readonly checkCommand?: CheckCommand;
  /** Does what must follow from a commit, also if this process dies. */
  readonly jobs: Jobs;
  /** Does the next action for a task; runs one at a time per task. Rejects if it failed. */
  advanceTask(taskId: string): Promise<void>;
  /** Like `advanceTask`, but returns at once, and is retried until it succeeds. */
  advanceSoon(taskId: TaskId): void;
  /** Schedules a round of the dispatcher and returns at once. */
  dispatchSoon(): void;
  /** Schedules a round of the merge queue and returns at once; runs one at a time per repository. */
  mergeSoon(): void;
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

/** What a client or a command sends with its requests; `cwd` comes only over the local socket. */
type LocalContext = {
  readonly cwd?: string | null;
  /** Vendor variables from the client's own configuration, such as an API key in mcp.json. */
  readonly keys?: VendorKeys;
  /** The language of the answers; absent: that of the daemon. */
  readonly locale?: Locale;
};

export type VendorKeys = Readonly<Record<string, string>>;

/** Without sign-in everyone on loopback is this one person. */
export const LOCAL_USER: PersonIdentity = { kind: "person", person: LOCAL_PERSON };
