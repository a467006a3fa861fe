/** The only tool that a probe may call. It changes nothing, and no other caller sees it. */
export const CHECK_TOOL = "check_connection";

/** What the daemon saw of one run of a CLI that a health check has started. */
export type Probe = {
  readonly isOpen: boolean;
  /** The CLI has sent an MCP request with the token of this run. */
  readonly connected: boolean;
  /** The model has called the tool. */
  readonly calledTool: boolean;
  /** After the run the token is worthless, also on a connection that is still open. */
  close(): void;
  markConnected(): void;
  markCalled(): void;
};

/**
 * The runs of health checks, by the hash of their one-run token. Kept in memory: a token dies with
 * its run or with the daemon. A probe is no `Identity`, so it reaches no use case.
 */
export type Probes = {
  open(tokenHash: string): Probe;
  /** undefined: the token belongs to no open probe. */
  find(tokenHash: string): Probe | undefined;
};

export function createProbes(): Probes {
  const open = new Map<string, Probe>();
  return {
    open(tokenHash) {
      let connected = false;
      let calledTool = false;
      const probe: Probe = {
        get isOpen() {
          return open.has(tokenHash);
        },
        get connected() {
          return connected;
        },
        get calledTool() {
          return calledTool;
        },
        close: () => void open.delete(tokenHash),
        markConnected: () => void (connected = true),
        markCalled: () => void (calledTool = true),
      };
      open.set(tokenHash, probe);
      return probe;
    },
    find: (tokenHash) => open.get(tokenHash),
  };
}
