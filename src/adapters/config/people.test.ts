import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { UserEdit } from "../../app/ports/config-file.ts";
import { ConfigError } from "./config-error.ts";
import { createConfigFile } from "./edit-config.ts";
import { loadConfig } from "./load-config.ts";

const HASHES = ["a", "b", "c"].map((digit) => digit.repeat(64));

function people(...ids: readonly string[]): string {
  const users = ids.map((id, index) => {
    const [name, role] = id.split(":");
    return `    - { id: ${name}, ${role ? `role: ${role}, ` : ""}tokenHash: ${HASHES[index]} }\n`;
  });
  return `auth:\n  users:\n${users.join("")}`;
}

function aFile(text: string | undefined) {
  const path = join(aTempDir(), "kuromajutsu.config.yaml");
  if (text !== undefined) writeFileSync(path, text);
  const file = createConfigFile({ path });
  const load = (env = {}) => loadConfig({ path, explicit: true, env });
  return {
    path,
    text: () => readFileSync(path, "utf8"),
    load,
    edit: async (edit: UserEdit) => file.editUsers(edit, await file.readHash()),
    problems: async (env = {}): Promise<string> => {
      const error: unknown = await load(env).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return error instanceof ConfigError ? error.message.replaceAll(path, "FILE") : "none";
    },
  };
}

const add = (id: string, fields = {}): UserEdit => ({
  kind: "set",
  id,
  fields: { ...fields, tokenHash: HASHES[id.length % 3] ?? "" },
});

const GROUP = "slack:\n  people:\n    - { usergroup: S1 }\n";

describe("approval policies", () => {
  test.each([
    ["approval: not-requester", "", "`not-requester` needs 2 people"],
    ["approval: not-requester", people("aoi"), "there is one; add people with `kuromajutsu user"],
    ["approval: not-requester", people("aoi", "vera:viewer"), "there is one"],
    [
      "approval: { quorum: 2 }",
      "",
      "a quorum of 2 needs 2 people who can sign in and decide; there is nobody",
    ],
    ["approval: { quorum: 3 }", people("aoi", "ben"), "there are 2"],
    ["approval: { quorum: 2, approvers: [aoi, aoi] }", people("aoi", "ben"), "there is one"],
    ["approval: { approvers: [aoi] }", "", 'names "aoi", but nobody can sign in'],
    ["approval: { approvers: [aio] }", people("aoi", "ben"), 'did you mean "aoi"?'],
    ["approval: { approvers: [vera] }", people("aoi", "vera:viewer"), '"vera" is a viewer'],
    ["approvals: { step: { quorum: 2 } }", people("aoi"), "tasks.approvals.step: a quorum of 2"],
    ["approval: { approvers: [S1@slack] }", people("aoi"), 'has the id "S1@slack"'],
    ["approval: { approvers: [S1@slack] }", GROUP, "nobody can sign in"],
    ["approval: { approvers: [S2@slack] }", GROUP + people("aoi"), 'has the id "S2@slack"'],
    ["approval: { approvers: [aio, S1@slack] }", GROUP + people("aoi"), 'did you mean "aoi"?'],
  ])("%s with %j is refused: %s", async (policy, auth, problem) => {
    const problems = await aFile(`${auth}tasks:\n  ${policy}\n`).problems();

    expect(problems).toContain(problem);
    expect(problems).toMatch(/FILE:\d+:\d+\n/);
    expect(problems).toContain(` | `);
  });

  test.each([
    ["approval: requester", ""],
    ["approval: { approvers: [local] }", ""],
    ["approval: not-requester", people("aoi", "ben:admin")],
    ["approval: { quorum: 2, approvers: [aoi, ben] }", people("aoi", "ben", "vera:viewer")],
    ["approval: { quorum: 3 }", people("aoi", "ben", "chie")],
    ["approval: { approvers: [aoi, S1@slack] }", GROUP + people("aoi")],
    ["approval: { quorum: 2, approvers: [S1@slack] }", GROUP + people("aoi")],
  ])("%s with %j is accepted", async (policy, auth) => {
    expect(await aFile(`${auth}tasks:\n  ${policy}\n`).problems()).toBe("none");
  });
});

test("two people with the same id or the same token are refused", async () => {
  expect(await aFile(people("aoi", "aoi")).problems()).toContain(
    'auth.users[1].id: "aoi" is already the id of auth.users[0]',
  );
  const twice = people("aoi", "ben").replace(HASHES[1] ?? "", HASHES[0] ?? "");
  expect(await aFile(twice).problems()).toContain(
    "auth.users[1].tokenHash: is also that of auth.users[0]",
  );
});

test("reserved ids are refused as ids of people", async () => {
  expect(await aFile(people("U1.T1@slack")).problems()).toContain("are for people in Slack");
  expect(await aFile(people("system")).problems()).toContain("other than system, main, unknown");
});

test("an address that others can reach requires people who sign in", async () => {
  const env = { KUROMAJUTSU_BIND: "0.0.0.0" };

  expect(await aFile("").problems(env)).toContain("kuromajutsu user add");
  expect((await aFile(people("aoi")).load(env)).bind).toBe("0.0.0.0");
});

describe("editing people", () => {
  test("the first person creates the file", async () => {
    const { edit, text, load } = aFile(undefined);

    const edited = await edit(add("aoi", { name: "葵", role: "admin" }));

    expect(edited).toMatchObject({ created: true, missing: [] });
    expect(text()).toBe(
      `auth:\n  users:\n    - id: aoi\n      name: 葵\n      role: admin\n      tokenHash: ${HASHES[0]}\n`,
    );
    expect((await load()).config.auth.users).toMatchObject([{ id: "aoi", role: "admin" }]);
  });

  const ENTRY = `    - id: aoi\n      tokenHash: ${HASHES[0]}\n`;
  test.each([
    [
      "# mine\nlog:\n  level: info # 静か\n",
      `# mine\nlog:\n  level: info # 静か\n\nauth:\n  users:\n${ENTRY}`,
    ],
    ["auth: # who\nlog: {}\n", `auth: # who\n  users:\n${ENTRY}log: {}\n`],
    ["auth: {}\nlog: {}\n", `auth:\n  users:\n${ENTRY}log: {}\n`],
    ["auth:\n  users: [] # nobody\n", `auth:\n  users: # nobody\n${ENTRY}`],
    ["auth:\n  users:\n", `auth:\n  users:\n${ENTRY}`],
  ])("everything else in %j stays unchanged", async (before, after) => {
    const { edit, text } = aFile(before);

    await edit(add("aoi"));

    expect(text()).toBe(after);
  });

  test("a person is added after the others and removed without them", async () => {
    const before = `# 大事\nauth:\n  users:\n    # 管理者\n    - id: aoi # 葵\n      role: admin\n      tokenHash: ${HASHES[0]}\nlog: {}\n`;
    const { edit, text, load } = aFile(before);

    await edit(add("beno"));
    expect(text()).toContain("    # 管理者\n    - id: aoi # 葵\n      role: admin\n");
    expect((await load()).config.auth.users.map(({ id }) => id)).toEqual(["aoi", "beno"]);

    await edit({ kind: "remove", id: "beno" });
    expect(text()).toBe(before);
  });

  test("a list in flow style is edited too", async () => {
    const { edit, load } = aFile(`auth: { users: [{ id: aoi, tokenHash: ${HASHES[0]} }] }\n`);

    await edit(add("beno", { role: "viewer" }));
    await edit({ kind: "remove", id: "aoi" });

    expect((await load()).config.auth.users).toMatchObject([{ id: "beno", role: "viewer" }]);
  });

  test("a new token only replaces the hash", async () => {
    const { edit, text } = aFile(people("aoi", "ben"));

    await edit({ kind: "set", id: "aoi", fields: { tokenHash: HASHES[2] ?? "" } });

    expect(text()).toBe(people("aoi", "ben").replace(HASHES[0] ?? "", HASHES[2] ?? ""));
  });

  test("people that a policy lacks can be added one by one; the answer names who is still missing", async () => {
    const { edit, problems } = aFile("tasks:\n  approval: not-requester\n");

    const first = await edit(add("aoi"));
    expect(first.missing.map(({ text }) => text.en)).toMatchObject([
      expect.stringContaining("there is one"),
    ]);
    expect(await problems()).toContain("there is one");

    expect((await edit(add("beno"))).missing).toEqual([]);
    expect(await problems()).toBe("none");
  });

  test("a person whom a policy needs cannot be removed", async () => {
    const { edit, text } = aFile(`${people("aoi", "ben")}tasks:\n  approval: not-requester\n`);
    const before = text();

    await expect(edit({ kind: "remove", id: "ben" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });

    expect(text()).toBe(before);
  });

  test("a file with another problem is not edited", async () => {
    const { edit, text } = aFile("agent: { maxConcurrent: many }\n");

    await expect(edit(add("aoi"))).rejects.toMatchObject({ code: "CONFIG_INVALID" });

    expect(text()).toBe("agent: { maxConcurrent: many }\n");
  });
});

describe("people of Slack", () => {
  test.each([
    ["[{ user: U1, person: aoi }]", "", 'slack.people[0].person: names "aoi", but nobody can sign'],
    ["[{ user: U1, person: aio }]", people("aoi", "ben"), 'did you mean "aoi"?'],
    ["[{ user: U1, person: local }]", people("aoi"), 'nobody in auth.users has the id "local"'],
    [
      "[{ user: U1, person: aoi }, { user: U1, person: ben }]",
      people("aoi", "ben"),
      "slack.people[1]: is the same user or group as slack.people[0]; remove one",
    ],
    [
      "[{ usergroup: S1 }, { usergroup: S1, role: viewer }]",
      people("aoi"),
      "slack.people[1]: is the same user or group",
    ],
  ])("the list %s is refused, with the place in the file", async (list, users, problem) => {
    const text = await aFile(`${users}slack:\n  people: ${list}\n`).problems();

    expect(text).toContain(problem);
    expect(text).toMatch(/FILE:\d+:\d+/);
  });

  test.each([
    ["[{ user: U1, person: local }]", ""],
    ["[{ user: U1, person: vera }, { user: U2, person: vera }]", people("vera:viewer")],
    ["[{ user: U1, team: T1, person: aoi }, { user: U1, team: T2, person: aoi }]", people("aoi")],
  ])("the list %s is accepted", async (list, users) => {
    expect(await aFile(`${users}slack:\n  people: ${list}\n`).problems()).toBe("none");
  });
});
