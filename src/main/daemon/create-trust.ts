import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { Core } from "../../app/core.ts";
import type { CurrentConfig } from "./current-config.ts";

/** Whether the newest configuration file is trusted, and a way to trust it. */
export function createTrust(
  { file }: LoadedConfig,
  current: CurrentConfig,
): NonNullable<Core["trust"]> {
  return {
    now: () => current.latest().trust,
    async trust(shownHash) {
      const { trustFile } = await import("../../adapters/config/inspect-trust.ts");
      await trustFile(file, process.env, shownHash);
    },
  };
}
