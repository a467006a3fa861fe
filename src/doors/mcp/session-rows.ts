import type { McpSessionRow, SharedState } from "../../app/ports/shared-state.ts";

const MAX_ENDED = 1_000;

export type SessionRows = {
  /** Undefined: unknown here, or of an earlier daemon. */
  find(id: string): Promise<McpSessionRow | undefined>;
  isEnded(id: string): boolean;
  put(id: string, session: Omit<McpSessionRow, "isEnded">): Promise<void>;
  /** Called when the client ends its session. It stays ended, unlike one of an earlier daemon. */
  end(id: string): Promise<void>;
};

/**
 * What is known of sessions that are not in memory: with several servers, all of them. While the
 * database does not answer, a session goes on like one of an earlier daemon: its calls are answered
 * with a refusal that says why, which a client understands better than an error of the transport.
 */
export function createSessionRows(
  shared: SharedState | undefined,
  onerror: (error: Error) => void,
): SessionRows {
  const ended = new Set<string>();

  function pass(error: unknown): undefined {
    onerror(error instanceof Error ? error : new Error(String(error)));
  }

  function noteEnd(id: string): void {
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
  }
  return {
    async find(id) {
      const row = await shared?.getMcpSession(id).catch(pass);
      if (row?.isEnded) noteEnd(id);
      return row;
    },
    isEnded: (id) => ended.has(id),
    async put(id, { owner, client: { name, version } }) {
      await shared?.putMcpSession(id, { owner, client: { name, version } }).catch(pass);
    },
    async end(id) {
      noteEnd(id);
      await shared?.endMcpSession(id).catch(pass);
    },
  };
}
