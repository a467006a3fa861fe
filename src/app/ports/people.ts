import type { Person } from "../../domain/people/person.ts";

/** The people of the configuration, who may sign in. */
export type People = {
  /** false: every person on loopback is `local`. */
  readonly isEnabled: boolean;
  list(): readonly Person[];
  find(id: string): Person | undefined;
  findByTokenHash(tokenHash: string): Person | undefined;
  /** A new token ends all sign-ins of the person, so they are compared with this hash. */
  tokenHashOf(id: string): string | undefined;
};
