import { expect, test } from "vitest";
import type { UsageRow } from "../../../src/app/ports/store.ts";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import { aGroup } from "../../kit/builders.ts";
import { insert, numbered, type Open, range } from "./kit.ts";

const TOKENS = { inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4_000 };

export function usage(aStore: Open): void {
  test("usage of a day is added up by runner, model and role", async () => {
    const store = await aStore();

    await store.transaction(async (unit) => {
      for (const _ of range(1, 3)) await unit.addUsage(aRow());
      await unit.addUsage(aRow({ role: "code-review" }));
      await unit.addUsage(aRow({ model: "other" }));
      await unit.addUsage(aRow({ runner: "claude", inputTokens: 5_000_000_000 }));
    });

    const day = await store.listUsage("2026-11-15", "2026-11-15");
    expect(day).toEqual([
      aRow({ runner: "claude", inputTokens: 5_000_000_000 }),
      aRow({ role: "code-review" }),
      aRow({
        agents: 3,
        inputTokens: 3,
        outputTokens: 60,
        cacheReadTokens: 900,
        cacheWriteTokens: 12_000,
      }),
      aRow({ model: "other" }),
    ]);
  });

  test("usage with a reported cost or model is in rows of its own, and costs are added up", async () => {
    const store = await aStore();

    await store.transaction(async (unit) => {
      await unit.addUsage(aRow({ costUsd: 0.25 }));
      await unit.addUsage(aRow({ costUsd: 0.5, inputTokens: 9 }));
      await unit.addUsage(aRow({ reportedModel: "sonnet-5" }));
      await unit.addUsage(aRow());
    });

    const day = await store.listUsage("2026-11-15", "2026-11-15");
    const double = { agents: 2, outputTokens: 40, cacheReadTokens: 600, cacheWriteTokens: 8_000 };
    expect(day).toEqual([
      aRow(),
      aRow({ ...double, costUsd: 0.75, inputTokens: 10 }),
      aRow({ reportedModel: "sonnet-5" }),
    ]);
  });

  test("usage of a group has the reported models and costs of its agents", async () => {
    const store = await aStore();
    const ended = { process: "ended", runner: "cursor" } as const;
    await insert(
      store,
      range(1, 5).map((n) => numbered(n, ended)),
    );
    const seen = { ...NO_PROGRESS, usage: TOKENS };
    await store.transaction(async (unit) => {
      await unit.putProgress(numbered(1).id, { ...seen, costUsd: 0.25 });
      await unit.putProgress(numbered(2).id, { ...seen, costUsd: 0.5 });
      await unit.putProgress(numbered(3).id, { ...seen, costUsd: 0 });
      await unit.putProgress(numbered(4).id, { ...seen, costUsd: 2, reportedModel: "sonnet-5" });
    });

    expect(await store.listGroupUsage(aGroup().id)).toMatchObject([
      { reportedModel: null, costUsd: null, agents: 2, inputTokens: 1 },
      { reportedModel: null, costUsd: 0.75, agents: 2, inputTokens: 2 },
      { reportedModel: "sonnet-5", costUsd: 2, agents: 1 },
    ]);
  });

  test("usage is listed by day, including the first and the last day", async () => {
    const store = await aStore();
    const days = ["2026-11-16", "2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"];
    await store.transaction(async (unit) => {
      for (const day of days) await unit.addUsage(aRow({ day }));
    });

    const november = await store.listUsage("2026-11-01", "2026-11-30");

    expect(november.map(({ day }) => day)).toEqual(["2026-11-01", "2026-11-16", "2026-11-30"]);
    expect(await store.listUsage("2025-01-01", "2025-12-31")).toEqual([]);
  });

  test("usage of a transaction that fails is not stored", async () => {
    const store = await aStore();

    const attempt = store.transaction(async (unit) => {
      await unit.addUsage(aRow());
      throw new Error("no");
    });

    await expect(attempt).rejects.toThrow("no");
    expect(await store.listUsage("2026-11-15", "2026-11-15")).toEqual([]);
  });

  test("usage of a group counts its settled agents, including those without known tokens", async () => {
    const store = await aStore();
    const other = aGroup({ id: "grp-2-other" });
    await store.transaction((unit) => unit.insertGroup(other));
    const ended = { process: "ended", runner: "cursor" } as const;
    await insert(store, [
      numbered(1, ended),
      numbered(2, ended),
      numbered(3, { ...ended, model: "other" }),
      numbered(4, { ...ended, groupId: other.id }),
      numbered(5, { process: "alive", runner: "cursor" }),
    ]);
    await store.transaction(async (unit) => {
      for (const n of [1, 4, 5]) {
        await unit.putProgress(numbered(n).id, { ...NO_PROGRESS, usage: TOKENS });
      }
      await unit.putProgress(numbered(2).id, NO_PROGRESS);
    });

    const { day: _, ...row } = aRow();
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(await store.listGroupUsage(aGroup().id)).toEqual([
      { ...row, agents: 2 },
      { ...row, ...none, model: "other" },
    ]);
    expect(await store.listGroupUsage("grp-none")).toEqual([]);
  });
}

function aRow(over: Partial<UsageRow> = {}): UsageRow {
  return {
    day: "2026-11-15",
    runner: "cursor",
    model: "claude-4-sonnet",
    role: "impl-code",
    reportedModel: null,
    costUsd: null,
    agents: 1,
    ...TOKENS,
    ...over,
  };
}
