import { expect, test } from "vitest";
import { aRunner } from "../../../test/kit/core.ts";
import { createInstalledRunners } from "./installed-runners.ts";

test("a worker lists its CLIs without starting them, and knows their versions after it has asked them", async () => {
  const asked: string[] = [];
  const installed = new Set(["cursor", "claude"]);
  const runners = new Map(
    (["cursor", "claude", "codex"] as const).map((id) => {
      const version = async (command: string) => {
        asked.push(command);
        return id === "claude" ? undefined : "1.2.3".padEnd(1_000, "x");
      };
      return [id, { ...aRunner(id, installed), version }] as const;
    }),
  );
  let now = 0;
  const known = createInstalledRunners(() => now);
  const claude = { id: "claude", version: null };

  expect(await known.list(runners)).toEqual([{ id: "cursor", version: null }, claude]);
  expect(asked).toEqual([]);

  const all = [{ id: "cursor", version: "1.2.3".padEnd(100, "x") }, claude];
  expect(await known.ask(runners)).toEqual(all);
  expect(await known.list(runners)).toEqual(all);
  expect(asked).toEqual(["/bin/cursor", "/bin/claude"]);

  // After the next connection it does not start them again at once.
  expect(await known.ask(runners)).toBeUndefined();
  now += 3_600_000;
  installed.delete("cursor");
  expect(await known.ask(runners)).toEqual([claude]);
});
