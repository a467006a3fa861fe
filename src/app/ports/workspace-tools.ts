import type { PortRange } from "../../domain/workspaces/workspace.ts";

export type CommandRun = {
  /** A line for `sh -c`, from our own configuration, never from the repository. */
  readonly command: string;
  readonly directory: string;
  /** Added to the allow-listed variables of agents. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Marks its processes, so that a restarted daemon finds and ends what a crash left behind. */
  readonly mark: string;
  /** The newest line of its output, a few times a second. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
};

export type CommandEnd = {
  /** null: it was stopped at its time limit, or by `signal`. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The end of stdout and stderr, at most 64 KB, as text. */
  readonly output: string;
};

export type PullRequestSpec = {
  /** The checkout whose remote is used. */
  readonly repository: string;
  readonly branch: string;
  readonly target: string;
  readonly title: string;
  readonly body: string;
};

/** What provisioning and merging need of the machine besides git. */
export type WorkspaceTools = {
  /** Ends with its whole process group: at the time limit, on abort, and when the daemon stops. */
  run(command: CommandRun): Promise<CommandEnd>;
  /** Ends processes with this mark that an earlier daemon left behind. */
  endLeftovers(mark: string): Promise<void>;
  /**
   * Copies ignored files that match the globs from the caller's checkout into the worktree. Never
   * follows a symbolic link out of the checkout and never overwrites. Returns the copied paths.
   */
  copyIgnored(from: string, to: string, globs: readonly string[]): Promise<readonly string[]>;
  /** A free block of `count` ports within the range, outside the taken ones; null: there is none. */
  findPorts(
    range: { readonly from: number; readonly to: number },
    count: number,
    taken: readonly PortRange[],
  ): Promise<PortRange | null>;
  /** `gh` or `glab` if it is installed and the repository has a remote for it. */
  pullRequestTool(repository: string): Promise<"gh" | "glab" | null>;
  /** Pushes the branch and opens the pull request; refuses with the words of the tool. */
  openPullRequest(tool: "gh" | "glab", spec: PullRequestSpec): Promise<{ readonly url: string }>;
};
