/** The key that encrypts the tokens of Slack workspaces in the database. */
export type SlackKey = {
  /** For messages to people. */
  readonly path: string;
  /** undefined: there is none yet. */
  read(): Uint8Array | undefined;
  /** Throws if a person named a file that does not exist. */
  create(): Uint8Array;
};
