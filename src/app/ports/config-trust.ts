import type { FileTrust } from "../../contract/shapes/trust.ts";

/** Whether this user trusts the configuration file that was found by searching. */
export type ConfigTrust = {
  /** Of the configuration in use; null: the file needs no trust. */
  now(): FileTrust | null;
  /**
   * Trusts the file as it is on disk, if its powers have this hash. Refuses with VERSION_CONFLICT
   * when it says something else by now, and with CONFIG_NOT_WRITABLE.
   */
  trust(hash: string): Promise<void>;
};
