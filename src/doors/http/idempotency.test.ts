import { expect, test } from "vitest";
import { aGroup } from "../../../test/kit/builders.ts";
import { aCore } from "../../../test/kit/core.ts";
import type { Core } from "../../app/core.ts";
import { createGroup } from "../../app/groups/create-group.ts";
import { Refusal } from "../../domain/refusal.ts";
import { createIdempotency, type Keyed } from "./idempotency.ts";

const DAY_MS = 24 * 60 * 60_000;
const MAIN = { kind: "client", cwd: null, keys: {} } as const;

test("an answer is stored for a day, even over a restart of the daemon", async () => {
  const core = await aCore();
  const first = await ask(core);

  core.advance(DAY_MS - 1);
  expect(await ask(core)).toEqual(first);
  expect(await groups(core)).toBe(1);

  core.advance(2);
  expect(await ask(core)).not.toEqual(first);
  expect(await groups(core)).toBe(2);
});

test("a request that was committed before a crash is not carried out again", async () => {
  const core = await aCore();
  const done = Promise.withResolvers<void>();
  void createIdempotency(core).once(
    keyed({
      async run(keyedCore) {
        await makeAGroup(keyedCore);
        done.resolve();
        return new Promise(() => {});
      },
    }),
  );
  await done.promise;

  expect(await ask(core)).toMatchObject({ status: 409, body: { code: "OUTCOME_UNKNOWN" } });
  expect(await groups(core)).toBe(1);
});

test("a request that was not committed before a crash is carried out by the next daemon", async () => {
  const core = await aCore();
  void createIdempotency(core).once(keyed({ run: () => new Promise(() => {}) }));

  expect(await ask(core)).toMatchObject({ status: 201 });
  expect(await groups(core)).toBe(1);
});

test("a refused request may be repeated with the same key", async () => {
  const core = await aCore();
  const idempotency = createIdempotency(core);
  const refused = keyed({
    async run(keyedCore) {
      await keyedCore.store.transaction(async () => {
        throw new Refusal("GROUP_NOT_FOUND", {
          en: ["None.", "Make one."],
          ja: ["None.", "Make one."],
        });
      });
      return Response.json({});
    },
  });
  await expect(idempotency.once(refused)).rejects.toThrow("None.");

  expect(await ask(core)).toMatchObject({ status: 201 });
});

test("a refused request that was audited may be repeated with the same key", async () => {
  const core = await aCore();
  const idempotency = createIdempotency(core);
  const refused = await idempotency.once(
    keyed({
      async run(keyedCore) {
        await keyedCore.store.transaction((unit) => unit.insertGroup(aGroup({ id: "grp-trace" })));
        return Response.json({}, { status: 403 });
      },
    }),
  );
  expect(refused.status).toBe(403);

  expect(await ask(core)).toMatchObject({ status: 201 });
});

test("work that continues after the answer does not change the stored answer", async () => {
  const core = await aCore();
  const idempotency = createIdempotency(core);
  let later: Core | undefined;
  const run = async (keyedCore: Core) => {
    later = keyedCore;
    return Response.json({ accepted: true }, { status: 202 });
  };
  await idempotency.once(keyed({ run }));
  if (later) await makeAGroup(later);

  expect((await idempotency.once(keyed({ run }))).status).toBe(202);
});

test("the audit of a refusal does not count as the request after a crash", async () => {
  const core = await aCore();
  const traced = Promise.withResolvers<void>();
  void createIdempotency(core).once(
    keyed({
      async run(keyedCore) {
        const refusal = new Refusal("GROUP_NOT_FOUND", {
          en: ["None.", "Make one."],
          ja: ["None.", "Make one."],
        });
        await keyedCore.store.transaction(() => Promise.reject(refusal)).catch(() => {});
        await keyedCore.store.transaction((unit) => unit.insertGroup(aGroup({ id: "grp-trace" })));
        traced.resolve();
        return new Promise(() => {});
      },
    }),
  );
  await traced.promise;

  expect(await ask(core)).toMatchObject({ status: 201 });
});

test("a request that failed after its commit is not carried out again", async () => {
  const core = await aCore();
  const idempotency = createIdempotency(core);
  const broken = keyed({
    async run(keyedCore) {
      await makeAGroup(keyedCore);
      return Response.json({}, { status: 500 });
    },
  });

  expect((await idempotency.once(broken)).status).toBe(500);
  expect(await ask(core)).toMatchObject({ status: 409, body: { code: "OUTCOME_UNKNOWN" } });
  expect(await groups(core)).toBe(1);
});

test("an answer too long to store is sent once; a repetition is refused as carried out", async () => {
  const core = await aCore();
  const idempotency = createIdempotency(core);

  expect((await idempotency.once(keyed({ run: aLongAnswer }))).status).toBe(200);
  expect((await idempotency.once(keyed({ run: aLongAnswer }))).status).toBe(409);
});

test("keys older than a day are deleted when the next one is stored", async () => {
  const core = await aCore();
  await ask(core, { key: "old" });
  core.advance(DAY_MS + 1);
  await ask(core, { key: "young" });

  core.advance(-DAY_MS);
  await ask(core, { key: "old" });
  expect(await groups(core)).toBe(3);
});

async function aLongAnswer(): Promise<Response> {
  return Response.json({ text: "長".repeat(1024 * 1024) });
}

/** Served by another daemon on the same data. */
async function ask(core: Core, over: Partial<Keyed> = {}) {
  const response = await createIdempotency(core).once(keyed(over));
  return { status: response.status, body: await response.json() };
}

function keyed(over: Partial<Keyed> = {}): Keyed {
  return { key: "k", whose: "ben", locale: "en", text: "make a group", run: makeAGroup, ...over };
}

async function makeAGroup(core: Core): Promise<Response> {
  const group = await createGroup(core, MAIN, {
    description: "同じ",
    mode: "concurrent",
    parentGroupId: null,
  });
  return Response.json({ groupId: group.id }, { status: 201 });
}

async function groups(core: Core): Promise<number> {
  return (await core.store.listGroups({ view: "all-in-view", limit: 100 })).groups.length;
}
