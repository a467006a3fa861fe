import { expect, test } from "vitest";
import { widthOf } from "./columns.ts";
import { renderTable } from "./table.ts";

const TABLE = {
  headings: ["ID", "Last message"],
  rows: [["process-designer-1794896128-4f87", "The result is reported."]],
};

test("a column that people copy from is never cut, even if it is the widest", () => {
  const { lines, isWhole } = renderTable({ ...TABLE, uncut: [0] }, { width: 50 });

  expect(lines.at(-1)).toBe("process-designer-1794896128-4f87  The result is r…");
  expect(isWhole).toBe(false);
});

test("without such a column the widest one is cut first", () => {
  const { lines } = renderTable(TABLE, { width: 50 });

  expect(lines.at(-1)).toContain("process-designer-");
  expect(lines.at(-1)).not.toContain("4f87");
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(50);
});
