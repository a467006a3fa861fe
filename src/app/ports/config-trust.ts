import type { FileTrust } from "../../contract/shapes/trust.ts";

/** Whether this user trusts the configuration file that was found by searching. */
export type ConfigTrust = {
  /** The trust of the configuration in use; null: the file needs none. */
  now(): FileTrust | null;
  /**
   * Trusts the file on disk if its powers have this hash. Refuses with VERSION_CONFLICT if they have
   * changed, and with CONFIG_NOT_WRITABLE.
   */
  trust(hash: string): Promise<void>;
};
