import { readFileSync, type Stats } from "node:fs";
import { userInfo } from "node:os";

type Mode = Pick<Stats, "mode" | "gid">;

export type Accounts = {
  /** The user's name and primary group, as the system's user database has them. */
  readonly user: { readonly username: string; readonly gid: number };
  /** The text of /etc/group and of /etc/passwd; throws when it cannot be read. */
  readonly group: () => string;
  readonly passwd: () => string;
};

/**
 * Can another user change what has this mode? Write permission for the group counts as well, except
 * for a user-private group: with umask 002, which several distributions set for such users, every
 * file of the user is writable for that group.
 */
export function othersMayWrite({ mode, gid }: Mode, accounts: Accounts = theseAccounts()): boolean {
  if ((mode & 0o002) !== 0) return true;
  return (mode & 0o020) !== 0 && !isPrivateGroup(gid, accounts);
}

/** A user-private group: the user's primary group, with the user's name and no other member. */
function isPrivateGroup(gid: number, { user, group, passwd }: Accounts): boolean {
  if (gid !== user.gid) return false;
  try {
    const rows = fieldsOf(group()).filter((fields) => Number(fields[2]) === gid);
    const isNamedAlike = rows.some(([name]) => name === user.username);
    const members = rows.flatMap((fields) => (fields[3] ?? "").split(",").filter(Boolean));
    const primary = fieldsOf(passwd()).filter((fields) => Number(fields[3]) === gid);
    return (
      isNamedAlike &&
      members.every((name) => name === user.username) &&
      primary.every(([name]) => name === user.username)
    );
  } catch {
    return false;
  }
}

function fieldsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.includes(":"))
    .map((line) => line.split(":"));
}

function theseAccounts(): Accounts {
  return {
    // Lazy: it is slow, and needed only if the group may write.
    get user() {
      return userInfo();
    },
    group: () => readFileSync("/etc/group", "utf8"),
    passwd: () => readFileSync("/etc/passwd", "utf8"),
  };
}
