import { ADMIN_TEXTS } from "./admin-texts.ts";
import type { Cli } from "./cli.ts";

/** Only a person may run these commands. An agent with the rights of its user can evade this check. */
export async function refuseAgents(
  cli: Pick<Cli, "isInsideAgent" | "locale" | "command">,
  command: string,
): Promise<void> {
  if (!cli.isInsideAgent()) return;
  throw new Error(ADMIN_TEXTS[await cli.locale()].forPeople(cli.command, command));
}
