import type { Log } from "../app/ports/world.ts";
import { LOG_LEVELS, type LogLevel } from "../contract/config/defaults.ts";

/** Writes one line per entry. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const least = LOG_LEVELS.indexOf(level);
  const entry =
    (at: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (LOG_LEVELS.indexOf(at) < least) return;
      const tail = Object.entries(fields).map(([key, value]) => ` ${key}=${render(value)}`);
      write(
        `${new Date().toISOString()} ${at.toUpperCase().padEnd(5)} ${message}${tail.join("")}\n`,
      );
    };
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

/** Values may come from agents and users: control characters must not reach a terminal. */
function render(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return /[\s"\p{Cc}]/u.test(text) ? JSON.stringify(text) : text;
}
