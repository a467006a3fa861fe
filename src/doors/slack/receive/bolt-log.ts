import { LogLevel, type Logger } from "@slack/bolt";
import type { Log } from "../../../app/ports/world.ts";

const text = (parts: readonly unknown[]) => parts.map(String).join(" ");

/** The debug lines of the clients contain whole requests, so only problems are passed on. */
export function createBoltLog(log: Log): Logger {
  return {
    debug() {},
    info() {},
    warn: (...parts) => log.debug("Slack client warning.", { text: text(parts) }),
    error: (...parts) => log.debug("Slack client error.", { text: text(parts) }),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
