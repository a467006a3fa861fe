/** The MCP client that used the daemon last. In memory: after a restart the rows must answer. */
export type SeenClients = {
  note(name: string | undefined): void;
  /** null: none since the start of the daemon. `name` is empty if the client did not say it. */
  last(): { readonly name: string } | null;
};

export function createSeenClients(): SeenClients {
  let last: { readonly name: string } | null = null;
  return {
    note: (name = "") => void (last = { name }),
    last: () => last,
  };
}
