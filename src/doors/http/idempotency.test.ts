import { expect, test } from "vitest";
import { createIdempotency } from "./idempotency.ts";

test("an answer is remembered for ten minutes, and no more than a thousand of them", async () => {
  let now = 0;
  let runs = 0;
  const { once } = createIdempotency(() => now);
  const ask = (key: string) => once(key, "same", async () => Response.json({ run: ++runs }));

  await ask("a");
  now = 599_999;
  expect(await (await ask("a")).json()).toEqual({ run: 1 });
  now = 600_001;
  expect(await (await ask("a")).json()).toEqual({ run: 2 });

  for (let key = 0; key < 1_000; key++) await ask(`key ${key}`);
  expect(await (await ask("a")).json()).toEqual({ run: 1_003 });
});

test("a request that failed is tried again", async () => {
  const { once } = createIdempotency();
  const broken = once("a", "same", async () => {
    throw new Error("broken");
  });
  await expect(broken).rejects.toThrow("broken");

  const answer = await once("a", "same", async () => Response.json({ ok: true }));

  expect(await answer.json()).toEqual({ ok: true });
});
