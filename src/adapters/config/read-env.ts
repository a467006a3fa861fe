import { isIP } from "node:net";
import { LOG_LEVELS, type LogLevel } from "../../contract/config/defaults.ts";
import { expectedIn } from "../../contract/config/expected-texts.ts";
import type { ConfigProblem } from "./config-error.ts";
import { isLoopback } from "./is-loopback.ts";
import type { Env } from "./locate.ts";

export type EnvSettings = {
  readonly port: number | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly bind: string | undefined;
  /** A secret: it has a password. */
  readonly databaseUrl: string | undefined;
  /** Only the host's loopback reaches the port, although we listen on another address. */
  readonly isBehindLoopback: boolean;
  readonly problems: readonly ConfigProblem[];
};

/** An empty variable counts as not set: shells and compose files create those by accident. */
export function readEnv(env: Env): EnvSettings {
  const problems: ConfigProblem[] = [];
  const refuse = (name: string, expected: string) => {
    const found = JSON.stringify(env[name]);
    const text = {
      en: `${name}: found ${found}; expected ${expected}`,
      ja: `${name}: ${found} が設定されています。${expectedIn(expected, "ja") ?? expected}を設定してください。`,
    };
    problems.push({ text, at: null });
    return undefined;
  };

  const port = env["KUROMAJUTSU_PORT"];
  const level = env["KUROMAJUTSU_LOG_LEVEL"];
  const bind = env["KUROMAJUTSU_BIND"] || undefined;
  const behind = env["KUROMAJUTSU_BEHIND_LOOPBACK"] || "0";

  if (behind !== "0" && behind !== "1") refuse("KUROMAJUTSU_BEHIND_LOOPBACK", "1 or 0");
  if (bind !== undefined && bind !== "localhost" && isIP(bind) === 0) {
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
    databaseUrl: env["KUROMAJUTSU_DATABASE_URL"] || undefined,
    isBehindLoopback: behind === "1",
    problems,
  };
}

export type BindSetting = {
  readonly bind: string;
  /** What a person has to change: the option, the variable or the key of the file. */
  readonly from: "--bind" | "KUROMAJUTSU_BIND" | "server.bind";
};

/** The command line overrides the environment, and the environment the file. */
export function bindSetting(
  named: string | undefined,
  { bind }: EnvSettings,
  inFile: string,
): BindSetting {
  if (named !== undefined) return { bind: named, from: "--bind" };
  if (bind !== undefined) return { bind, from: "KUROMAJUTSU_BIND" };
  return { bind: inFile, from: "server.bind" };
}

/** Refuses an address that others can reach while no sign-in is required. */
export function whyNotExposed(
  { bind, from, isBehindLoopback }: BindSetting & Pick<EnvSettings, "isBehindLoopback">,
  people: number,
): ConfigProblem[] {
  // Anything that is not an address has been refused already.
  const isExposed = isIP(bind) !== 0 && !isLoopback(bind) && !isBehindLoopback;
  if (!isExposed || people > 0) return [];
  const text = {
    en:
      `${from}: found ${JSON.stringify(bind)}; expected a loopback address: on any other, everyone who can reach this machine could start agents, and nobody has to sign in (auth.users is empty). ` +
      "Add people with `kuromajutsu user add <id>`; " +
      "or, in a container whose port is published on the host's loopback only, set KUROMAJUTSU_BEHIND_LOOPBACK=1 as well",
    ja:
      `${from}: ${JSON.stringify(bind)} が指定されています。ループバックのアドレスにしてください。ほかのアドレスでは、このマシンに届く人なら誰でも、サインインなしで（auth.users が空です）エージェントを動かせてしまいます。` +
      "`kuromajutsu user add <id>` で人を加えてください。" +
      "コンテナーのポートをホストのループバックだけに公開しているなら、KUROMAJUTSU_BEHIND_LOOPBACK=1 も設定してください。",
  };
  return [{ text, at: null }];
}

function parsePort(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : undefined;
}
