import { isIP } from "node:net";

/** Why an address cannot be used. None of them contains the address, which has a password. */
export type UrlFault = "not-postgres" | "no-host" | "no-database" | "plain-text";

type Parts = {
  readonly user: string;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly sslmode: string | undefined;
};

/** Without `pg`, which is loaded only by a process that uses PostgreSQL. */
export function faultOfUrl(url: string): UrlFault | undefined {
  const parts = partsOf(url);
  if (!parts) return "not-postgres";
  // `pg` would take the host of the variable PGHOST, to which the checks below do not apply.
  if (parts.host === "") return "no-host";
  if (parts.database === "") return "no-database";
  return isLocal(parts.host) || parts.sslmode === "verify-full" ? undefined : "plain-text";
}

/** The database without the password, for people. */
export function placeOfUrl(url: string): string {
  const parts = partsOf(url);
  if (!parts) return "?";
  const { user, host, port, database } = parts;
  const name = host.includes(":") ? `[${host}]` : host;
  return `${user === "" ? "" : `${user}@`}${name}${port === "" ? "" : `:${port}`}/${database}`;
}

/** Reads an address as `pg` does: a parameter wins over the part before it, and the last one counts. */
function partsOf(text: string): Parts | undefined {
  const address = text.trim();
  if (!/^postgres(?:ql)?:\/\//i.test(address)) return undefined;
  // A user without a host is not a URL for Node, but the usual form for a socket.
  const hasNoHost = !URL.canParse(address);
  const url = URL.parse(hasNoHost ? address.replace("@/", "@none/") : address);
  if (!url) return undefined;
  const parameter = (name: string) => url.searchParams.getAll(name).at(-1) || undefined;
  try {
    // An unescaped `%` in the password fails in `pg`, too.
    decodeURIComponent(url.password);
    const named = hasNoHost ? "" : decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, "$1");
    return {
      user: parameter("user") ?? decodeURIComponent(url.username),
      host: parameter("host") ?? named,
      port: parameter("port") ?? url.port,
      database: decodeURI(url.pathname.slice(1)),
      sslmode: parameter("sslmode"),
    };
  } catch {
    return undefined;
  }
}

/** A socket, or an address of this machine. */
function isLocal(host: string): boolean {
  if (host.startsWith("/") || host === "localhost" || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
