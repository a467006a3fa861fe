import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { Log } from "../../app/ports/world.ts";

export type Compose = {
  readonly loaded: LoadedConfig;
  readonly log: Log;
  readonly socketPath: string;
  /** null while the HTTP door is not open. */
  readonly mcpUrl: () => string | null;
  /** The configuration file was found by searching. */
  readonly needsTrust: boolean;
  /** Reads the same configuration file again. */
  readonly reloadConfig: () => Promise<LoadedConfig>;
  /** The files of the store were deleted, replaced or truncated. */
  readonly storeLost: (message: string) => void;
  /** Roles have changed, so clients should list the tools again. */
  readonly toolsChanged: () => void;
};
