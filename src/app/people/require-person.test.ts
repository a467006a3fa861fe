import { expect, test } from "vitest";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import type { Identity } from "../core.ts";
import { createTask } from "../tasks/create-task.ts";
import { requesterOf } from "./require-person.ts";

const NO_PERSON: Identity = { kind: "client", cwd: "/", keys: {} };
const BEN: Identity = {
  kind: "person",
  cwd: "/",
  keys: {},
  person: { id: "ben", name: "ben", role: "operator" },
};

test("with sign-in a client that acts for no person cannot ask for a task", async () => {
  const core = await aCoreWithPeople({ ben: "operator" });

  await expect(
    createTask(core, NO_PERSON, { request: "集計して", door: "mcp" }),
  ).rejects.toMatchObject({
    code: "PERSON_NEEDED",
    hint: expect.stringContaining("KUROMAJUTSU_TOKEN"),
  });

  expect((await core.store.listTasks({ limit: 10 })).tasks).toEqual([]);
});

test("the requester is the person, or without sign-in the one person there is", async () => {
  const core = await aCoreWithPeople({ ben: "operator" });
  expect(requesterOf(core, BEN)).toBe("ben");

  core.setPeople({});

  expect(requesterOf(core, NO_PERSON)).toBe("local");
});
