/** Another page of this host may set cookies of the same name; more than this are not tried. */
const MAX_VALUES = 4;

export type SessionCookie = {
  /** Every value that may be ours, from a Cookie header. */
  valuesIn(header: string | null | undefined): readonly string[];
  /** Values of Set-Cookie. */
  set(value: string, maxAgeMs: number, isHttps: boolean): string;
  clear(): readonly string[];
};

/**
 * The name contains the instance: cookies know no ports, so two daemons on one host would otherwise
 * overwrite each other's. With HTTPS the browser itself keeps others from setting it (`__Host-`).
 */
export function createSessionCookie(instance: string): SessionCookie {
  const plain = `kuromajutsu-${instance}`;
  const secure = `__Host-${plain}`;
  function header(name: string, value: string, maxAgeMs: number): string {
    const age = Math.floor(maxAgeMs / 1_000);
    const base = `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict`;
    return name === secure ? `${base}; Secure` : base;
  }
  return {
    valuesIn(cookies) {
      const pairs = (cookies ?? "").split(";").map((pair) => pair.split("=", 2));
      const ours = pairs.filter(([name]) => [secure, plain].includes(name?.trim() ?? ""));
      return ours.flatMap(([, value]) => value?.trim() || []).slice(0, MAX_VALUES);
    },
    set: (value, maxAgeMs, isHttps) => header(isHttps ? secure : plain, value, maxAgeMs),
    clear: () => [header(plain, "", 0), header(secure, "", 0)],
  };
}
