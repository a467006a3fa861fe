import { isIP } from "node:net";
import { LOG_LEVELS, type LogLevel } from "../../contract/config/defaults.ts";
import type { ConfigProblem } from "./config-error.ts";
import type { Env } from "./locate.ts";

export type EnvSettings = {
  readonly port: number | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly bind: string;
  /** Other machines can reach the daemon at this address. */
  readonly isExposed: boolean;
  readonly problems: readonly ConfigProblem[];
};

const DEFAULT_BIND = "127.0.0.1";

/** An empty variable counts as not set: shells and compose files create those by accident. */
export function readEnv(env: Env): EnvSettings {
  const problems: ConfigProblem[] = [];
  const refuse = (name: string, expected: string) => {
    const text = `${name}: found ${JSON.stringify(env[name])}; expected ${expected}`;
    problems.push({ text, at: null });
    return undefined;
  };

  const port = env["KUROMAJUTSU_PORT"];
  const level = env["KUROMAJUTSU_LOG_LEVEL"];
  const bind = env["KUROMAJUTSU_BIND"] || DEFAULT_BIND;
  const behind = env["KUROMAJUTSU_BEHIND_LOOPBACK"] || "0";

  if (behind !== "0" && behind !== "1") refuse("KUROMAJUTSU_BEHIND_LOOPBACK", "1 or 0");
  if (bind !== "localhost" && isIP(bind) === 0) {
    refuse("KUROMAJUTSU_BIND", "an IP address such as 127.0.0.1 or 0.0.0.0");
  }
  return {
    port: port
      ? (parsePort(port) ?? refuse("KUROMAJUTSU_PORT", "a whole number from 0 to 65535"))
      : undefined,
    logLevel: level
      ? (LOG_LEVELS.find((known) => known === level) ??
        refuse("KUROMAJUTSU_LOG_LEVEL", `one of ${LOG_LEVELS.join(", ")}`))
      : undefined,
    bind,
    isExposed: isIP(bind) !== 0 && !isLoopback(bind) && behind !== "1",
    problems,
  };
}

/** Refuses an address that others can reach while no sign-in is required. */
export function whyNotExposed({ bind, isExposed }: EnvSettings, people: number): ConfigProblem[] {
  if (!isExposed || people > 0) return [];
  const text =
    `KUROMAJUTSU_BIND: found ${JSON.stringify(bind)}; expected a loopback address: on any other, everyone who can reach this machine could start agents, and nobody has to sign in (auth.users is empty). ` +
    "Add people with `kuromajutsu user add <id>`; " +
    "or, in a container whose port is published on the host's loopback only, set KUROMAJUTSU_BEHIND_LOOPBACK=1 as well";
  return [{ text, at: null }];
}

function parsePort(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : undefined;
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}
