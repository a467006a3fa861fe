import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { explainUntrusted, untrustedOf } from "../../app/people/untrusted.ts";
import type { Log } from "../../app/ports/world.ts";
import type { Role } from "../../domain/roles/role.ts";
import { commandName } from "../entries.ts";

type Warned = Pick<LoadedConfig, "trust"> & {
  readonly roles: readonly Pick<Role, "id" | "mcpServers">[];
  readonly config: { readonly mcpServers: Readonly<Record<string, unknown>> };
};

/** Logs what a person should know about a configuration that is valid all the same. */
export function warnOfConfig(log: Log, { trust, roles, config }: Warned): void {
  const untrusted = untrustedOf(trust, commandName());
  if (untrusted) log.warn(explainUntrusted(untrusted));
  const known = Object.keys(config.mcpServers);
  for (const { id, mcpServers } of roles) {
    for (const name of mcpServers) {
      const [server = ""] = name.split("/");
      if (server === "*" || known.includes(server)) continue;
      log.warn(
        "A role names an MCP server that is not in mcpServers, so it cannot use its tools. Add the server, or remove the name from the role.",
        { role: id, server },
      );
    }
  }
}
