import { expect, test } from "vitest";
import { endOrphans } from "./end-orphans.ts";

test("endOrphans waits for stops that are under way, also after the last wrapper has ended", async () => {
  let looks = 0;
  await endOrphans({
    afterMs: 60_000,
    graceMs: 1,
    ownerFile: "/nowhere/owner",
    ownerId: "me",
    liveRoots: () => [],
    stop() {
      throw new Error("nothing is left to stop");
    },
    isStopping: () => ++looks < 3,
  });

  expect(looks).toBe(3);
});
