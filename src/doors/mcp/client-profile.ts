/** The default for unmeasured clients: below the shortest known time-out (60 s), with time left to answer. */
const DEFAULT_PATIENCE_MS = 45_000;

/** How long each client was observed to wait for one tool call. */
const PATIENCE_MS: Readonly<Record<string, number>> = {
  "claude-code": 20 * 60_000,
  "codex-mcp-client": 240_000,
  "gemini-cli-mcp-client": 540_000,
};
/** Gives up after 60 s without progress notifications, which need a progress token. */
const PATIENT_WITH_BEATS: Readonly<Record<string, number>> = { opencode: 20 * 60_000 };

export function patienceOf(clientName: string | undefined, hasProgressToken: boolean): number {
  if (clientName === undefined) return DEFAULT_PATIENCE_MS;
  const withBeats = hasProgressToken ? PATIENT_WITH_BEATS[clientName] : undefined;
  return withBeats ?? PATIENCE_MS[clientName] ?? DEFAULT_PATIENCE_MS;
}
