import { expect, test } from "vitest";
import { anHttpDoor } from "../../../../../test/kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../../../../../test/kit/people.ts";
import { fieldsOf } from "../../../../base/narrow.ts";

async function aDoor(hasSlack: boolean, people: Parameters<typeof aCoreWithPeople>[0]) {
  const core = await aCoreWithPeople(people, { settings: { hasSlack } });
  const { url } = await anHttpDoor(core);
  const headers = (id: string) => ({
    ...(Object.keys(people).length > 0 && { authorization: `Bearer ${tokenOf(id)}` }),
    "x-kuromajutsu": "1",
    "idempotency-key": "key-1",
  });
  const create = (id: string) =>
    fetch(`${url}/api/people/me/slack-code`, { method: "POST", headers: headers(id) });
  const me = async (id: string) => (await fetch(`${url}/api/me`, { headers: headers(id) })).json();
  return { core, create, me };
}

test("a person gets a code for Slack, and each request makes another one", async () => {
  const { create, me, core } = await aDoor(true, { vera: "viewer" });

  expect(await me("vera")).toMatchObject({ slack: true });
  const first = await create("vera");
  expect(first.status).toBe(200);
  const { code, expiresAt } = fieldsOf(await first.json());
  expect(expiresAt).toBe(new Date(core.clock.now() + 10 * 60_000).toISOString());
  // The answer is secret, so it is not stored for a request with the same key.
  expect(await (await create("vera")).json()).not.toMatchObject({ code });
});

test("without Slack or without sign-in there is no code", async () => {
  const noSlack = await aDoor(false, { vera: "viewer" });
  expect((await noSlack.create("vera")).status).toBe(403);
  expect(await noSlack.me("vera")).not.toHaveProperty("slack");
  const noSignIn = await aDoor(true, {});
  expect((await noSignIn.create("")).status).toBe(403);
  expect(await noSignIn.me("")).not.toHaveProperty("slack");
});
