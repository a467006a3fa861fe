/** For a client nobody measured: under the shortest time-out known (60 s) with room to answer. */
const DEFAULT_PATIENCE_MS = 45_000;

/** How long each client was seen to wait for one tool call; with beats where it heeds them. */
const PATIENCE_MS: Readonly<Record<string, number>> = {
  "claude-code": 20 * 60_000,
  "codex-mcp-client": 240_000,
  "gemini-cli-mcp-client": 540_000,
};
/** Gives up after 60 s unless beats reach it, and those need a progress token. */
const PATIENT_WITH_BEATS: Readonly<Record<string, number>> = { opencode: 20 * 60_000 };

export function patienceOf(clientName: string | undefined, hasProgressToken: boolean): number {
  if (clientName === undefined) return DEFAULT_PATIENCE_MS;
  const withBeats = hasProgressToken ? PATIENT_WITH_BEATS[clientName] : undefined;
  return withBeats ?? PATIENCE_MS[clientName] ?? DEFAULT_PATIENCE_MS;
}
