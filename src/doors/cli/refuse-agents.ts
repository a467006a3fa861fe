import type { Cli } from "./cli.ts";

/** Only a person may run these commands. An agent with the rights of its user can evade this check. */
export function refuseAgents(cli: Pick<Cli, "isInsideAgent">, command: string): void {
  if (!cli.isInsideAgent()) return;
  throw new Error(
    `\`kuromajutsu ${command}\` is for people and does not run inside an agent. Ask the person to decide in the dashboard.`,
  );
}
