/** The one copy of an upstream server that all servers use, and the server that runs it. */
export type OwnedUpstream = {
  /** Its name in `mcpServers`. */
  readonly name: string;
  readonly owner: string;
  /** What the owner sees of it, as JSON; null: nothing yet. */
  readonly listing: string | null;
};

/** Which server runs the one copy of an upstream server. */
export type UpstreamOwners = {
  /** Makes this server the owner if there is none that is alive. Returns all copies. */
  claim(names: readonly string[]): Promise<readonly OwnedUpstream[]>;
  /** Tells the others what the copy offers. */
  describe(name: string, listing: string): Promise<void>;
  /** Another server may run the copies of this one, except these. */
  release(kept?: readonly string[]): Promise<void>;
  close(): Promise<void>;
};
