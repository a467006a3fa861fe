const KNOWN = ["FROM", "RUN", "USER", "WORKDIR", "COPY", "ENV", "EXPOSE", "HEALTHCHECK", "CMD"];

export type Instruction = { readonly name: string; readonly rest: string };

/**
 * Parses the part of the format that our Dockerfile uses and refuses the rest, because a line that is
 * skipped would not be tested.
 */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*(#.*)?$/.test(line));
  const whole = lines.join("\n").replaceAll(/\\\n\s*/g, "");
  return whole.split("\n").map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!KNOWN.includes(name) || rest.includes("<<")) throw new Error(`Not understood: ${line}`);
    return { name, rest };
  });
}

/** Parses `A=1 B=2`; quotes are refused, because our Dockerfile has none. */
export function parseEnv(rest: string): [string, string][] {
  return rest.split(/\s+/).map((pair) => {
    const [, name = "", value = ""] = /^(\w+)=([\w./:]+)$/.exec(pair) ?? [];
    if (!name) throw new Error(`Not understood: ENV ${pair}`);
    return [name, value];
  });
}
