import { randomUUID } from "node:crypto";
import type { Log } from "../app/ports/world.ts";
import { escapeControls } from "../base/escape-controls.ts";
import { traceIdOf } from "../base/trace-ids.ts";
import { traceIdOfLine } from "../base/trace.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel } from "../contract/config/defaults.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Lines that belong to no request and to no row share a trace. */
const PROCESS_TRACE = traceIdOf(randomUUID());

/** Writes one line per entry. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  format: LogFormat = "text",
): Log {
  const least = LOG_LEVELS.indexOf(level);
  const toLine = format === "json" ? jsonLine : textLine;
  const entry =
    (at: LogLevel) =>
    (message: string, fields: Fields = {}): void => {
      if (LOG_LEVELS.indexOf(at) < least) return;
      const trace = traceIdOfLine(fields, PROCESS_TRACE);
      write(`${toLine(at, message, { ...fields, trace })}\n`);
    };
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

function textLine(at: LogLevel, message: string, fields: Fields): string {
  const tail = Object.entries(fields).map(([key, value]) => ` ${key}=${render(value)}`);
  return `${new Date().toISOString()} ${at.toUpperCase().padEnd(5)} ${message}${tail.join("")}`;
}

/** A field cannot replace time, level or message. */
function jsonLine(level: LogLevel, message: string, fields: Fields): string {
  const time = new Date().toISOString();
  const { time: _time, level: _level, message: _message, ...others } = fields;
  return escapeControls(JSON.stringify({ time, level, message, ...others }, readable));
}

/** `JSON.stringify` throws on a bigint, and leaves out the message of an error. */
function readable(_key: string, value: unknown): unknown {
  return typeof value === "bigint" || value instanceof Error ? String(value) : value;
}

/** Values may come from agents and users: control characters must not reach a terminal. */
function render(value: unknown): string {
  const plain = readable("", value);
  const text = typeof plain === "string" ? plain : (JSON.stringify(plain, readable) ?? "undefined");
  return /[\s"\p{Cc}]/u.test(text) ? escapeControls(JSON.stringify(text)) : text;
}
