type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that any program needs. No vendor keys and none of ours; `env` of the server adds more. */
const ALLOWED = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
]);
const ALLOWED_PREFIXES = ["LC_", "XDG_"];
const OURS = "KUROMAJUTSU_";

/** The configuration is wrong, so retrying would not help. */
export class WrongSettings extends Error {}

export function serverEnvironment(
  variables: Variables,
  written: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]),
  );
  return { ...Object.fromEntries(inherited), ...expandAll(written, variables, "env") };
}

function passes(name: string): boolean {
  return ALLOWED.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** `${env:NAME}` in the values, from the daemon's variables. */
export function expandAll(
  written: Readonly<Record<string, string>>,
  variables: Variables,
  where: "env" | "headers",
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [
      key,
      expand(value, variables, `${where}.${key}`),
    ]),
  );
}

function expand(value: string, variables: Variables, where: string): string {
  return value.replaceAll(/\$\{env:([^}]*)\}/g, (_whole, name: string) => {
    if (name.startsWith(OURS)) {
      throw new WrongSettings(`${where} asks for ${name}, which is not given to upstream servers.`);
    }
    const found = variables[name];
    if (found === undefined) {
      throw new WrongSettings(
        `${where} asks for ${name}, which is not set in the daemon's environment.`,
      );
    }
    return found;
  });
}
