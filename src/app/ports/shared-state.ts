/** A session of a client of the older MCP revisions, as other servers need it. */
export type McpSessionRow = {
  /** The identity that opened it; no other may use it. */
  readonly owner: string;
  readonly client: { readonly name: string; readonly version: string };
  /** Its client has ended it. */
  readonly isEnded: boolean;
};

/** What the doors of all servers must know. A server that has its database for itself has none. */
export type SharedState = {
  getMcpSession(id: string): Promise<McpSessionRow | undefined>;
  putMcpSession(id: string, session: Omit<McpSessionRow, "isEnded">): Promise<void>;
  endMcpSession(id: string): Promise<void>;
  /**
   * Counts a wrong token that came from an address. Returns how long the address must wait; 0: it may
   * try again now.
   */
  countWrongToken(address: string, limit: WrongTokenLimit): Promise<number>;
  close(): Promise<void>;
};

/** `count` wrong tokens within `windowMs` are answered normally; further ones must wait. */
export type WrongTokenLimit = { readonly count: number; readonly windowMs: number };
