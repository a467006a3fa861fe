import { expect, test } from "vitest";
import { type Accounts, othersMayWrite } from "./others-may-write.ts";

const PASSWD = "root:x:0:0::/root:/bin/sh\nkuro:x:1000:1000::/home/kuro:/bin/sh\n";

function accounts(over: Partial<Accounts> = {}): Accounts {
  return {
    user: { username: "kuro", gid: 1000 },
    group: () => "root:x:0:\nkuro:x:1000:\nstaff:x:20:kuro,shiro\n",
    passwd: () => PASSWD,
    ...over,
  };
}

test.each([
  ["0644", 0o644, 1000, false],
  ["0755", 0o40755, 1000, false],
  ["0666", 0o666, 1000, true],
  ["1777, a sticky directory", 0o41777, 0, true],
  ["0664 in the user's private group", 0o664, 1000, false],
  ["0664 in a group of several users", 0o664, 20, true],
  ["0664 in a group that has no entry", 0o664, 4711, true],
])("mode %s", (_name, mode, gid, expected) => {
  expect(othersMayWrite({ mode, gid }, accounts())).toBe(expected);
});

test.each<[string, Partial<Accounts>]>([
  ["has another member", { group: () => "kuro:x:1000:kuro,shiro\n" }],
  ["has another name", { group: () => "users:x:1000:\n" }],
  [
    "is the primary group of another user",
    { passwd: () => `${PASSWD}shiro:x:1001:1000::/home/shiro:/bin/sh\n` },
  ],
  [
    "cannot be looked up",
    {
      group: () => {
        throw new Error("ENOENT");
      },
    },
  ],
])("a primary group that %s is not private", (_name, over) => {
  expect(othersMayWrite({ mode: 0o664, gid: 1000 }, accounts(over))).toBe(true);
});
