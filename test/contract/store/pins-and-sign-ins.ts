import { expect, test } from "vitest";
import type { SignIn, ToolPin } from "../../../src/app/ports/task-store.ts";
import { NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function pinsAndSignIns(aStore: Open): void {
  test("the last accepted definition of each tool is kept", async () => {
    const store = await aStore();
    const first = aPin();
    const elsewhere = aPin({ server: "calendar" });
    const other = aPin({ tool: "list_attendance" });
    await store.transaction(async (unit) => {
      for (const pin of [first, other, elsewhere]) await unit.putToolPin(pin);
    });
    expect(await store.listToolPins()).toEqual([elsewhere, other, first]);

    const accepted = aPin({
      hash: "b".repeat(64),
      definition: { description: "別" },
      acceptedBy: "suzuki",
      at: NOON + 1,
    });
    await store.transaction((unit) => unit.putToolPin(accepted));
    expect(await store.listToolPins()).toEqual([elsewhere, other, accepted]);
  });

  test("a sign-in is valid until it is ended or expires", async () => {
    const store = await aStore();
    const [mine, ended, expired, justNow] = [
      aSignIn({ hash: "a" }),
      aSignIn({ hash: "b", personId: "田中" }),
      aSignIn({ hash: "c", expiresAt: NOON + 5 }),
      aSignIn({ hash: "d", expiresAt: NOON + 10 }),
    ];
    await store.transaction(async (unit) => {
      for (const each of [mine, ended, expired, justNow]) await unit.insertSignIn(each);
    });
    expect(await store.getSignIn("b")).toEqual(ended);
    expect(await store.getSignIn("none")).toBeUndefined();

    await store.transaction(async (unit) => {
      await unit.deleteSignIn("b");
      await unit.deleteSignIn("none");
      await unit.deleteSignInsExpiredAt(NOON + 10);
    });

    const left = await Promise.all(["a", "b", "c", "d"].map((hash) => store.getSignIn(hash)));
    expect(left).toEqual([mine, undefined, undefined, undefined]);
  });
}

function aPin(over: Partial<ToolPin> = {}): ToolPin {
  return {
    server: "hr",
    tool: "list_employees",
    hash: "a".repeat(64),
    definition: { name: "list_employees", inputSchema: { type: "object" } },
    acceptedBy: "system",
    at: NOON,
    ...over,
  };
}

function aSignIn(over: Partial<SignIn> = {}): SignIn {
  return { hash: "a", personId: "suzuki", createdAt: NOON, expiresAt: NOON + 1_000, ...over };
}
