import { expect, onTestFinished, test } from "vitest";
import { createPool } from "../../../src/adapters/store/postgres/engine/connect.ts";
import { throwFault } from "../../../src/adapters/store/postgres/engine/faults.ts";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { aGroup } from "../../kit/builders.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";

test.runIf(HAS_ALL_ROUNDS)(
  "a server that is paused inside a transaction holds its locks for less time than others wait for them",
  async () => {
    const url = await aMigratedUrl();
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    const group = aGroup();
    await store.transaction((unit) => unit.insertGroup(group));
    // The connection of a server that is paused here.
    const pool = createPool({ url, name: "kuromajutsu" }, 1);
    const paused = await pool.connect();
    onTestFinished(async () => {
      paused.release(true);
      await pool.end();
    });
    await paused.query("begin");
    await paused.query("select * from groups for update");

    const changed = { ...group, description: "changed" };
    await store.transaction(async (unit) => {
      const found = await unit.getGroup(group.id);
      if (found) await unit.updateGroup(changed, found);
    });

    expect(await store.getGroup(group.id)).toMatchObject({ description: "changed" });
    await expect(paused.query("commit")).rejects.toThrow("not queryable");
  },
);

test.each(["55P03", "57014", "25P03"])(
  "a limit of time of PostgreSQL is a refusal with a sentence, not an internal error (%s)",
  (code) => {
    const error = Object.assign(new Error("canceling statement due to a limit"), { code });
    expect(() => throwFault(error)).toThrow("did not do this in time, and nothing was written");
  },
);
