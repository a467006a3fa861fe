import { expect, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import { Refusal } from "../../domain/refusal.ts";

const answerOf = async (url: string): Promise<readonly [number, unknown]> => {
  const answer = await fetch(url);
  return [answer.status, await answer.json()];
};

test("monitors need no token, and learn nothing but the state", async () => {
  const { url } = await anHttpDoor(await aCoreWithPeople({ aoi: "admin" }));

  expect(await answerOf(`${url}/api/health/live`)).toEqual([200, { ok: true }]);
  expect(await answerOf(`${url}/api/health/ready`)).toEqual([
    200,
    { ok: true, store: "ok", started: true },
  ]);
  expect((await fetch(`${url}/api/system`)).status).toBe(401);
});

test("monitors may use any name or address of the machine", async () => {
  const { url } = await anHttpDoor(await aCore(), { allowedHostnames: ["kuro.example.com"] });

  expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
  expect((await fetch(`${url}/api/health`)).status).toBe(403);
});

test.each([
  ["STORE_FULL", "full"],
  ["STORE_READ_ONLY", "read-only"],
] as const)("a daemon whose database answers %s is alive and not ready", async (code, store) => {
  const core = await aCore();
  const checkWritable = () =>
    Promise.reject(new Refusal(code, { en: ["no", "no"], ja: ["no", "no"] }));
  const { url } = await anHttpDoor({ ...core, store: { ...core.store, checkWritable } });

  expect(await answerOf(`${url}/api/health/ready`)).toEqual([
    503,
    { ok: false, store, started: true },
  ]);
  expect((await fetch(`${url}/api/health/live`)).status).toBe(200);
});

test("many requests of monitors cause one write per second", async () => {
  const core = await aCore();
  let writes = 0;
  const checkWritable = async () => void writes++;
  const { url } = await anHttpDoor({ ...core, store: { ...core.store, checkWritable } });
  const ask = () => Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/api/health/ready`)));

  await ask();
  expect(writes).toBe(1);
  core.advance(1_000);
  await ask();
  expect(writes).toBe(2);
});
