import { expect, test } from "vitest";
import {
  aRunningExecution,
  call,
  callOnce,
  decide,
  refusalOf,
  WRITE,
} from "../../../../test/kit/execution.ts";
import { withFakeDeadlines } from "../../../../test/kit/fake-deadlines.ts";
import { EXECUTOR } from "../../../../test/kit/running-task.ts";
import type { Store } from "../../ports/store.ts";
import { watchParked } from "./watch-parked.ts";

test("a parked executor that comes back with a call while its deadline passes is not stopped", async () => {
  const { core, upstream } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  core.advance(core.settings.tasks.holdForMs);
  expect(await refusalOf(call(core, WRITE))).toMatchObject({ code: "PARKED" });
  await decide(core, "approve");
  let back: Promise<unknown> | undefined;
  const comeBack = () => (back ??= call(core, WRITE));
  // Another server can commit the call between two reads, but not inside a unit that has read both.
  const store: Store = {
    ...core.store,
    async getExecution(id) {
      const found = await core.store.getExecution(id);
      await comeBack();
      return found;
    },
    async transaction(work) {
      await comeBack();
      return core.store.transaction(work);
    },
  };
  const { core: late, pass } = withFakeDeadlines({ ...core, store });

  watchParked(late, EXECUTOR);
  pass("parked");
  await expect.poll(() => upstream.sent.length).toBe(1);
  await core.quiet();

  expect(core.stops).toEqual([]);
  expect(await core.store.getAgent(EXECUTOR)).toMatchObject({ stopReason: null });
});
