export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that any program needs. No keys, no tokens, none of the daemon's own. */
const ALLOWED = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];
const ALLOWED_PREFIXES = ["LC_", "XDG_"];

/** The variables that a child process may inherit: the common ones and those in `added`. */
export function allowedEnvironment(
  variables: Variables,
  added: readonly string[],
): Record<string, string> {
  const names = new Set([...ALLOWED, ...added]);
  const passes = (name: string): boolean =>
    names.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]),
    ),
  );
}
