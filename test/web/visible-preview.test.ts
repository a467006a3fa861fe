import { expect, test } from "vitest";
import { visiblePreview } from "../../src/contract/visible-text.ts";

test("visiblePreview shows line breaks as spaces", () => {
  expect(visiblePreview("方針です。  \r\n\r\n  依頼: 集計\n")).toBe("方針です。 依頼: 集計");
});

test("visiblePreview writes out every other invisible character", () => {
  expect(visiblePreview("pay\u200bpal\rnow")).toBe("pay\\u{200B}pal\\u{D}now");
});
