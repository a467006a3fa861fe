import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REFUSAL_CODES } from "./refusal.ts";

const SOURCE = new URL("../", import.meta.url);

test("every refusal code is used somewhere", () => {
  const texts = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) => path !== "domain/refusal.ts")
    .map((path) => readFileSync(new URL(path, SOURCE), "utf8"));

  expect(REFUSAL_CODES.filter((code) => !texts.some((text) => text.includes(`"${code}"`)))).toEqual(
    [],
  );
});
