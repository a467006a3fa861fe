import type { People } from "../app/ports/people.ts";
import type { Config } from "../contract/config/schema.ts";

/** The people in `auth.users` of the configuration, which holds only hashes of their tokens. */
export function createPeople(users: () => Config["auth"]["users"]): People {
  const list = () => users().map(({ id, name, role }) => ({ id, name: name ?? id, role }));
  return {
    get isEnabled() {
      return users().length > 0;
    },
    list,
    find: (id) => list().find((person) => person.id === id),
    findByTokenHash(tokenHash) {
      const found = users().find((user) => user.tokenHash === tokenHash);
      return found && { id: found.id, name: found.name ?? found.id, role: found.role };
    },
    tokenHashOf: (id) => users().find((user) => user.id === id)?.tokenHash,
  };
}
