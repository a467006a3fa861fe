import type { Agent } from "../domain/agent.ts";
import type { PriceList } from "../domain/cost.ts";
import type { AgentId } from "../domain/ids.ts";
import type { Role, RoleTool } from "../domain/role.ts";
import type { RunnerId } from "../domain/runner.ts";
import type { ClientKeys } from "./client-keys.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Health } from "./health.ts";
import type { Live } from "./live.ts";
import type { CheckCommand } from "./ports/check-command.ts";
import type { HealthProbe } from "./ports/health.ts";
import type { Runner } from "./ports/runner.ts";
import type { Store } from "./ports/store.ts";
import type { Supervisor } from "./ports/supervisor.ts";
import type { Clock, Directories, Log, Random, Tokens } from "./ports/world.ts";
import type { RoleEditing } from "./role-editing.ts";

export type Settings = {
  readonly runner: RunnerId | "auto";
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
  /** What tokens cost; a model without a price has no cost, not a cost of 0. */
  readonly prices: PriceList;
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
  readonly live: Live;
  readonly tokens: Tokens;
  readonly directories: Directories;
  readonly environment: Environment;
  readonly settings: Settings;
  readonly roles: ReadonlyMap<string, Role>;
  readonly roleTools: ReadonlyMap<string, RoleTool>;
  readonly runners: ReadonlyMap<RunnerId, Runner>;
  readonly supervisor: Supervisor;
  readonly clientKeys: ClientKeys;
  readonly deadlines: Deadlines;
  readonly health: Health;
  readonly healthProbe: HealthProbe;
  /** Of this program. */
  readonly version: string;
  /** Changes the configuration file; without it roles can only be read. */
  readonly editing?: RoleEditing;
  /** Tells whether a role tool is installed. */
  readonly checkCommand?: CheckCommand;
  /** Asks for free slots to be filled; returns at once, runs one at a time. */
  dispatchSoon(): void;
};

/** Who is calling. An id in an argument never proves it. */
export type Identity =
  | {
      readonly kind: "main";
      readonly cwd: string | null;
      /** Vendor variables only this client has (seed 10.1 puts the key in mcp.json). */
      readonly keys: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "agent";
      readonly agentId: AgentId;
      readonly role: string;
      /** The keys it was itself started with go on to the agents it asks for. */
      readonly keys?: Readonly<Record<string, string>>;
    };

/** Without sign-in everyone on loopback is this one person. */
export const LOCAL_USER: Identity = { kind: "main", cwd: null, keys: {} };
