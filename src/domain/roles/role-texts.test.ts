import { expect, test } from "vitest";
import { builtinRoles } from "./builtin-roles.ts";
import { roleTexts } from "./role-texts.ts";

const JAPANESE = /[\u{3041}-\u{30ff}\u{4e00}-\u{9fff}]/u;

test.each(builtinRoles("ja"))("the built-in role $id has texts in both languages", (role) => {
  const { name, description } = role;

  expect(roleTexts(role, "ja")).toEqual({ name, description });
  const english = roleTexts(role, "en");
  expect(english.name).not.toMatch(JAPANESE);
  expect(english.description).not.toMatch(JAPANESE);
});

test("a text of the configuration stays as it is in every language", () => {
  const [builtin] = builtinRoles("ja");
  const own = { id: "impl-code", name: "うちの実装者", description: builtin?.description ?? "" };

  expect(roleTexts(own, "en")).toMatchObject({ name: "うちの実装者" });
  expect(roleTexts(own, "en").description).not.toMatch(JAPANESE);
  expect(roleTexts({ id: "law", name: "法務", description: "契約" }, "en")).toEqual({
    name: "法務",
    description: "契約",
  });
});
