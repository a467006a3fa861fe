import { expect, test } from "vitest";
import type { IdempotencyRecord } from "../../../src/app/ports/task-store.ts";
import { NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function idempotencyKeys(aStore: Open): void {
  test("an idempotency record is found by its key, first without and then with its answer", async () => {
    const store = await aStore();
    const asked = anIdempotencyRecord();
    await store.transaction((unit) => unit.putIdempotencyRecord(asked));
    expect(await store.getIdempotencyRecord("a")).toEqual(asked);
    expect(await store.getIdempotencyRecord("none")).toBeUndefined();

    const answered = anIdempotencyRecord({
      answer: { status: 201, body: '{"題":"あ"}' },
      at: NOON + 1,
    });
    await store.transaction((unit) => unit.putIdempotencyRecord(answered));
    expect(await store.getIdempotencyRecord("a")).toEqual(answered);
  });

  test("an idempotency record is rolled back with its transaction", async () => {
    const store = await aStore();

    const broken = store.transaction(async (unit) => {
      await unit.putIdempotencyRecord(anIdempotencyRecord());
      throw new Error("broken");
    });

    await expect(broken).rejects.toThrow("broken");
    expect(await store.getIdempotencyRecord("a")).toBeUndefined();
  });

  test("idempotency records are deleted by key and by age", async () => {
    const store = await aStore();
    const young = anIdempotencyRecord({ key: "young", at: NOON + 10 });
    await store.transaction(async (unit) => {
      for (const key of ["old", "named"])
        await unit.putIdempotencyRecord(anIdempotencyRecord({ key }));
      await unit.putIdempotencyRecord(young);
    });

    await store.transaction(async (unit) => {
      await unit.deleteIdempotencyRecord("named");
      await unit.deleteIdempotencyRecord("none");
      await unit.deleteIdempotencyRecordsBefore(NOON + 10);
    });

    const left = ["old", "named", "young"].map((key) => store.getIdempotencyRecord(key));
    expect(await Promise.all(left)).toEqual([undefined, undefined, young]);
  });
}

function anIdempotencyRecord(over: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return { key: "a", request: "b", answer: null, at: NOON, ...over };
}
