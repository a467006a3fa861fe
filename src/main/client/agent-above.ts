import { readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Some agent CLIs start programs with a scrubbed environment. The process of the agent, further up the
 * process tree, still has it (Linux only).
 */
export function environmentOfAgentAbove(pid: number): Record<string, string> | undefined {
  for (let above = pid, depth = 0; above > 1 && depth < 64; depth++) {
    try {
      const found = parseEnvironment(readFileSync(`/proc/${above}/environ`, "utf8"));
      if (found["KUROMAJUTSU_SOCKET"] && found["KUROMAJUTSU_AGENT_ID"]) return found;
      const stat = readFileSync(`/proc/${above}/stat`, "latin1");
      above = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

export function isInsideAgent(env: Environment = process.env): boolean {
  if (env["KUROMAJUTSU_AGENT_ID"] || env["KUROMAJUTSU_AGENT_TOKEN"]) return true;
  return environmentOfAgentAbove(process.ppid) !== undefined;
}

function parseEnvironment(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split("\0").flatMap((entry) => {
      const at = entry.indexOf("=");
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
    }),
  );
}
