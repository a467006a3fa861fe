import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { RunnerCommand } from "./runner.ts";

export type Launch = {
  readonly agentId: AgentId;
  readonly attempt: number;
  readonly runner: RunnerId;
  readonly command: RunnerCommand;
  readonly workingDirectory: string;
  /** What is known before its first line of output. */
  readonly progress: AgentProgress;
};

/** An agent that an earlier daemon started. */
export type Adoption = {
  readonly agentId: AgentId;
  readonly attempt: number;
  readonly runner: RunnerId;
  readonly progress: AgentProgress;
  readonly startedAt: number | null;
  readonly workingDirectory: string;
  /** Its process, if the line with the pid was read. */
  readonly process: {
    readonly pid: number;
    readonly start: string;
    readonly bootId: string;
  } | null;
};

export type Observation =
  | {
      readonly type: "started";
      readonly agentId: AgentId;
      readonly attempt: number;
      readonly pid: number;
      readonly pidStart: string;
      readonly bootId: string;
      /** When it was observed; the observation may be delivered a little later. */
      readonly at: number;
    }
  | {
      readonly type: "progress";
      readonly agentId: AgentId;
      readonly attempt: number;
      readonly progress: AgentProgress;
    }
  | {
      /** The process is gone and its output is read to the end. */
      readonly type: "ended";
      readonly agentId: AgentId;
      readonly attempt: number;
      readonly progress: AgentProgress;
      readonly exitCode: number | null;
      readonly stderrTail: string;
      /** Its spool files were deleted while it ran, so its exit code is unknown. */
      readonly filesLost?: boolean;
      /** Why one of its spool files could not be read. */
      readonly unreadable?: string;
      /** Its host is gone, maybe not its process: it is started again only if its role says so. */
      readonly mayStillRun?: boolean;
      readonly survivors: readonly string[];
      /** What other hosts can do, if its CLI cannot be used on this one. */
      readonly elsewhere?: Elsewhere;
    }
  | {
      /** The CLI could not be executed; this attempt runs nothing and never will. */
      readonly type: "start_failed";
      readonly agentId: AgentId;
      readonly attempt: number;
      readonly error: string;
      /** The CLI is not installed there any more. */
      readonly isMissing?: boolean;
      readonly elsewhere?: Elsewhere;
    }
  | {
      /** This attempt was never executed and never will be: launch the next one. */
      readonly type: "not_launched";
      readonly agentId: AgentId;
      readonly attempt: number;
    }
  | {
      /** The output exceeds the limit; the caller decides whether to stop the agent. */
      readonly type: "spool_limit_reached";
      readonly agentId: AgentId;
      readonly attempt: number;
    };

/** `runner`: another host can use the CLI. `agent`: it can run this agent, too. */
export type Elsewhere = { readonly runner: boolean; readonly agent: boolean };

/**
 * Takes all observations of one slice. Resolves when they are committed. After a rejection (disk
 * full) nothing is committed, and the observations are sent again, merged with newer ones.
 */
export type Observer = (batch: readonly Observation[]) => Promise<void>;

export type SteerMessage = { readonly id: string; readonly text: string };

/** The name of the inbox in the folder of a run. */
export const INBOX = "inbox.ndjson";

/** Lines of a transcript, and where the next ones begin. */
export type TranscriptPage = {
  readonly lines: readonly string[];
  /** In bytes, like `size`. */
  readonly nextOffset: number;
  readonly size: number;
};

export type Supervisor = {
  /** The private folder of an attempt. It exists from launch() to the end of the attempt. */
  runDirectory(agentId: AgentId, attempt: number): string;
  /** Resolves when the launcher has accepted it. The intent must be committed before. */
  launch(launch: Launch): Promise<void>;
  /** Continues to supervise an agent that an earlier daemon started. */
  adopt(adoption: Adoption): void;
  /** Whether it looks after this attempt now. */
  has(agentId: AgentId, attempt: number): boolean;
  /** The agents that it looks after. One that is not running has an end that is not stored yet. */
  liveAgents(): readonly { readonly agentId: AgentId; readonly isRunning: boolean }[];
  /** Puts a message into the inbox of a running agent whose runner reads it. */
  steer(agentId: AgentId, attempt: number, message: SteerMessage): void;
  /**
   * Begins the stop ladder; `ended` is observed once all its processes are gone. Idempotent. With
   * `attempt` only that one is stopped.
   */
  stop(agentId: AgentId, signal: "SIGTERM" | "SIGINT", attempt?: number): void;
  /** The agents that have files in the spool. */
  listSpooled(): Promise<readonly string[]>;
  /** Deletes every spool file of settled agents. */
  removeSpool(agentIds: readonly string[]): Promise<void>;
  /**
   * Lines of an agent's stdout from a byte offset on, at most `maxBytes` in total; works for settled
   * agents too. An `offset` inside a line starts with the next line.
   */
  readTranscript(
    agentId: AgentId,
    attempt: number,
    offset: number,
    maxBytes: number,
  ): Promise<TranscriptPage>;
  /** The last `maxBytes` of an agent's stdout; empty once its spool files are gone. */
  readOutputEnd(agentId: AgentId, attempt: number, maxBytes: number): Promise<string>;
  /** The live agent whose process is this pid or an ancestor of it. */
  agentOfProcess(pid: number): Promise<AgentId | undefined>;
  /**
   * Agents go on, for the next process to adopt. `isForGood`: there is none, so agents that still run
   * are ended as if this process had been killed, and stops that are under way are finished.
   */
  close(how?: { readonly isForGood: boolean }): Promise<void>;
};
