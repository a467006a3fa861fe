import { allowedEnvironment, type Variables } from "../../base/allowed-environment.ts";

/** Node programs fall back to these for temporary files if TMPDIR is not set. */
const ADDED = ["TEMP", "TMP"];
const OURS = "KUROMAJUTSU_";

/** The configuration is wrong, so retrying would not help. */
export class WrongSettings extends Error {}

export function serverEnvironment(
  variables: Variables,
  written: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = allowedEnvironment(variables, ADDED);
  return { ...inherited, ...expandAll(written, variables, "env") };
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
