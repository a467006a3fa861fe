import type { Person } from "../../domain/people/person.ts";

/** Who may sign in; from the configuration. */
export type People = {
  /** Without sign-in everyone on loopback is `local`. */
  readonly isEnabled: boolean;
  list(): readonly Person[];
  find(id: string): Person | undefined;
  findByTokenHash(tokenHash: string): Person | undefined;
  /** Who has a new token is signed out everywhere. */
  tokenHashOf(id: string): string | undefined;
};
