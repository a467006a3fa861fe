import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";

/** Another page of this host may set cookies of the same name; we try at most this many. */
const MAX_VALUES = 4;

export type SessionCookie = {
  /** Every value in a Cookie header that may be ours. */
  valuesIn(header: string | null | undefined): readonly string[];
  set(context: Context, value: string, maxAgeMs: number, isHttps: boolean): void;
  clear(context: Context): void;
};

/**
 * The name contains the instance: cookies ignore the port, so two daemons on one host would
 * overwrite each other's. Over HTTPS the prefix `__Host-` stops other hosts from setting it.
 */
export function createSessionCookie(instance: string): SessionCookie {
  const name = `kuromajutsu-${instance}`;
  function set(context: Context, value: string, maxAgeMs: number, isHttps: boolean): void {
    setCookie(context, name, value, {
      maxAge: Math.floor(maxAgeMs / 1_000),
      httpOnly: true,
      sameSite: "Strict",
      ...(isHttps && { prefix: "host" }),
    });
  }
  return {
    // parse() keeps the first cookie of a name only, so each pair is parsed on its own.
    valuesIn: (header) =>
      (header ?? "")
        .split(";")
        .map((pair) => parse(pair))
        .flatMap((cookie) => cookie[`__Host-${name}`] || cookie[name] || [])
        .slice(0, MAX_VALUES),
    set,
    clear(context) {
      set(context, "", 0, false);
      set(context, "", 0, true);
    },
  };
}
