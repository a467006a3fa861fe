import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Refusal, REFUSAL_CODES, refusalIn } from "./refusal.ts";

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

/** Japanese characters, or the Japanese one of some texts. */
const JAPANESE = /[\u{3041}-\u{30ff}]|\.ja\b/u;

/** The argument list of every `new Refusal(…)` below src, without those of tests. */
function refusalsIn(path: string): readonly string[] {
  const [, ...parts] = readFileSync(new URL(path, SOURCE), "utf8").split("new Refusal(");
  return parts.map((part) => part.slice(0, 1_500));
}

test("every refusal says in Japanese what happened and what to do next", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  const without = files.flatMap((path) =>
    refusalsIn(path)
      // A refusal with texts of its caller or of a table, which have both languages by their type.
      .filter((text) => !/^(?:"\w+"|refusal), texts\)/.test(text))
      .map((text) => text.slice(text.indexOf("ja: [")).slice(0, 300))
      .filter((text) => !JAPANESE.test(text))
      .map((text) => `${path}: ${text.slice(0, 80)}`),
  );

  expect(without).toEqual([]);
});

test("a refusal is English for agents and in the log, and has the language of its reader", () => {
  const refusal = new Refusal("TASK_NOT_FOUND", {
    en: ["There is no task t.", "List them."],
    ja: ["タスク t はありません。", "一覧を見てください。"],
  });

  expect(refusal).toMatchObject({ message: "There is no task t.", hint: "List them." });
  expect(refusalIn(refusal, "ja")).toEqual({
    code: "TASK_NOT_FOUND",
    message: "タスク t はありません。",
    hint: "一覧を見てください。",
  });
});
