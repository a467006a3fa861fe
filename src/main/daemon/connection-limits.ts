import { readOpenFilesLimit } from "./open-files-limit.ts";

export type ConnectionLimits = {
  /** REST, `/mcp`, the dashboard and its WebSockets together. */
  readonly http: number;
  readonly webSockets: number;
  /** The unix socket of `kuromajutsu mcp` and the commands. */
  readonly socket: number;
};

/** The database, the log, the launcher, upstream servers and agents' files need descriptors too. */
const RESERVED = 64;
/** Assumed if the limit is unknown. */
const USUAL_LIMIT = 1_024;

/** Limits that together stay well below the number of files the process may have open. */
export function connectionLimits(
  openFiles = readOpenFilesLimit() ?? USUAL_LIMIT,
): ConnectionLimits {
  const usable = Math.max(openFiles - RESERVED, openFiles / 4);
  const http = between(8, usable * 0.4, 2_000);
  return { http, webSockets: Math.ceil(http / 2), socket: between(8, usable * 0.3, 1_000) };
}

function between(least: number, wanted: number, most: number): number {
  return Math.min(Math.max(Math.floor(wanted), least), most);
}
