import { expect, test } from "vitest";
import { openWaitCursor, sealWaitCursor } from "./wait-cursor.ts";

const ids = Array.from({ length: 1_000 }, (_, index) => `impl-code-1794733200-${index}`);

test.each([0, 1, 3, 4, 5, 10, 999, 1_000])(
  "a wait cursor holds %i seen agents of 1,000",
  (count) => {
    const cursor = { deadline: 1_794_733_200_000, seen: new Set(ids.slice(0, count)) };

    expect(openWaitCursor(sealWaitCursor(cursor, ids), ids)).toEqual(cursor);
  },
);

test("a wait cursor holds agents that finished in any order", () => {
  const seen = new Set(["impl-code-1794733200-7", "impl-code-1794733200-998"]);

  expect(openWaitCursor(sealWaitCursor({ deadline: null, seen }, ids), ids)).toEqual({
    deadline: null,
    seen,
  });
});

test("a wait cursor used with other ids has no seen agents and keeps its deadline", () => {
  const sealed = sealWaitCursor({ deadline: 5, seen: new Set(["b"]) }, ["a", "b"]);

  expect(openWaitCursor(sealed, ["a"])).toEqual({ deadline: 5, seen: new Set() });
  expect(openWaitCursor(sealed, ["b", "a"])).toEqual({ deadline: 5, seen: new Set() });
});

test("the wait cursor of ten agents is short: the caller reads and writes it with every chunk", () => {
  const ten = ids.slice(0, 10);

  expect(sealWaitCursor({ deadline: null, seen: new Set(ten) }, ten).length).toBeLessThan(20);
});

test.each(["", "w1..0", "w9", "w2.x.0.0", "w2..zz.0", `w2..0.${"f".repeat(251)}`])(
  "the wait cursor %j is refused",
  (text) => {
    expect(() => openWaitCursor(text, ids)).toThrow(
      expect.objectContaining({ code: "INVALID_CURSOR" }),
    );
  },
);
