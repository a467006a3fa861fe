export type RoleToolCheck = {
  readonly ok: boolean;
  /** Its output, or why it could not run: one line for a person. */
  readonly detail: string;
};

/** Runs a role tool's check: the command and its arguments, never through a shell. Never throws. */
export type CheckCommand = (argv: readonly string[], cwd: string) => Promise<RoleToolCheck>;
