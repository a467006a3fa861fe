import { expect, test } from "vitest";
import type { KeyedRequest } from "../../../src/app/ports/task-store.ts";
import { NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function keyedRequests(aStore: Open): void {
  test("what was asked under a key is there, first without its answer and then with it", async () => {
    const store = await aStore();
    const asked = aKeyedRequest();
    await store.transaction((unit) => unit.putKeyedRequest(asked));
    expect(await store.getKeyedRequest("a")).toEqual(asked);
    expect(await store.getKeyedRequest("none")).toBeUndefined();

    const answered = aKeyedRequest({ answer: { status: 201, body: '{"題":"あ"}' }, at: NOON + 1 });
    await store.transaction((unit) => unit.putKeyedRequest(answered));
    expect(await store.getKeyedRequest("a")).toEqual(answered);
  });

  test("it goes with the transaction that was to do it", async () => {
    const store = await aStore();

    const broken = store.transaction(async (unit) => {
      await unit.putKeyedRequest(aKeyedRequest());
      throw new Error("broken");
    });

    await expect(broken).rejects.toThrow("broken");
    expect(await store.getKeyedRequest("a")).toBeUndefined();
  });

  test("keys are forgotten by name and by age", async () => {
    const store = await aStore();
    const young = aKeyedRequest({ key: "young", at: NOON + 10 });
    await store.transaction(async (unit) => {
      for (const key of ["old", "named"]) await unit.putKeyedRequest(aKeyedRequest({ key }));
      await unit.putKeyedRequest(young);
    });

    await store.transaction(async (unit) => {
      await unit.deleteKeyedRequest("named");
      await unit.deleteKeyedRequest("none");
      await unit.deleteKeyedRequestsBefore(NOON + 10);
    });

    const left = ["old", "named", "young"].map((key) => store.getKeyedRequest(key));
    expect(await Promise.all(left)).toEqual([undefined, undefined, young]);
  });
}

function aKeyedRequest(over: Partial<KeyedRequest> = {}): KeyedRequest {
  return { key: "a", request: "b", answer: null, at: NOON, ...over };
}
