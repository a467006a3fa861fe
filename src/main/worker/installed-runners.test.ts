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

test("a worker asks its CLIs for their models at most once per hour, and tells no list that is too long", async () => {
  const lists = new Map([
    ["cursor", ["auto", "gpt-5"]],
    ["claude", Array.from({ length: 1_001 }, (_, index) => `m${index}`)],
  ]);
  const asked: string[] = [];
  const installed = new Set(["cursor", "claude", "codex", "gemini"]);
  const runners = new Map(
    (["cursor", "claude", "codex", "gemini"] as const).map((id) => {
      const models = async () => {
        asked.push(id);
        return lists.get(id);
      };
      const runner = { ...aRunner(id, installed), models };
      return [id, id === "codex" ? { ...runner, takesOtherModels: true as const } : runner];
    }),
  );
  let now = 0;
  const known = createInstalledRunners(() => now);
  const others = ["claude", "codex", "gemini"].map((id) => ({ id, version: null }));
  const all = [{ id: "cursor", version: null, models: ["auto", "gpt-5"] }, ...others];

  expect(await known.askModels(runners)).toEqual(all);
  // A hello after the next connection has them.
  expect(await known.list(runners)).toEqual(all);
  expect(await known.askModels(runners)).toBeUndefined();
  expect(asked).toEqual(["cursor", "claude", "gemini"]);

  now += 3_600_000;
  lists.delete("cursor");
  expect(await known.askModels(runners)).toEqual([{ id: "cursor", version: null }, ...others]);
});
