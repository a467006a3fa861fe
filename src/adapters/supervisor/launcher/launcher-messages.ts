/** Identifies one wrapper process. */
export type WrapperProcess = {
  readonly key: string;
  readonly mark: string;
  readonly pid: number;
  readonly start: string;
};

export type LaunchRequest = {
  readonly type: "launch";
  readonly key: string;
  /** In the environment of the agent, inherited by all it starts: identifies its processes. */
  readonly mark: string;
  readonly files: {
    readonly in: string;
    readonly out: string;
    readonly err: string;
    readonly status: string;
    readonly claim: string;
  };
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
};

export type StopRequest = WrapperProcess & {
  readonly type: "stop";
  /** null: the agent has ended by itself, only its leftover processes are swept. */
  readonly signal: "SIGTERM" | "SIGINT" | null;
  readonly graceMs: number;
};

/** Agents of an owner that is killed end, unless another process of it has come in time. */
export type EndOrphans = {
  readonly afterMs: number;
  readonly graceMs: number;
  /** Each owner writes its id into this file when it begins. */
  readonly ownerFile: string;
  readonly ownerId: string;
};

/** Lines of JSON on the launcher's stdin. Secrets travel here, in `env`, and nowhere else. */
export type LauncherRequest =
  | {
      readonly type: "hello";
      readonly bootId: string;
      readonly protectedPids: readonly number[];
      /** Absent: agents go on without an owner. */
      readonly orphans?: EndOrphans;
    }
  /** The owner stops on purpose: its agents go on. */
  | { readonly type: "bye" }
  | LaunchRequest
  | StopRequest
  | (WrapperProcess & { readonly type: "watch" })
  | { readonly type: "forget"; readonly key: string }
  | { readonly type: "look"; readonly key: string; readonly claim: string };

/** Lines of JSON on the launcher's stdout. */
export type LauncherAnswer =
  | { readonly type: "ready" }
  | { readonly type: "launched"; readonly key: string }
  | { readonly type: "failed"; readonly key: string; readonly error: string }
  | { readonly type: "exited"; readonly key: string }
  | {
      readonly type: "stopped";
      readonly key: string;
      readonly killed: readonly string[];
      readonly survivors: readonly string[];
    }
  /** Is there a wrapper that holds, or is about to take, this claim? null: it could not look. */
  | { readonly type: "looked"; readonly key: string; readonly isAlive: boolean | null }
  /** The process table could not be read; the launcher tries again. */
  | { readonly type: "look_failed"; readonly error: string };
