import { expect, test } from "vitest";
import { LOCALES } from "../../../domain/locale.ts";
import { terminalHint } from "./hints.ts";

const REST = "Send `Authorization: Bearer <token>`, or sign in with POST /api/login.";

test.each(LOCALES)("a person who is not signed in is told of KUROMAJUTSU_TOKEN (%s)", (locale) => {
  const hint = terminalHint({ code: "NOT_SIGNED_IN", hint: REST }, locale);

  expect(hint).toContain("KUROMAJUTSU_TOKEN=");
  expect(hint).not.toMatch(/Authorization|\/api\//);
});

test("a parameter is named as the option of the command", () => {
  const problem = { code: "INVALID_ARGUMENTS", hint: "Give `reason`: what must be different." };

  expect(terminalHint(problem, "en")).toBe("Give `--reason`: what must be different.");
});

test.each(LOCALES)("a hint that names a route becomes the help of the command (%s)", (locale) => {
  const problem = { code: "INVALID_ARGUMENTS", hint: "GET /api/openapi.json describes it." };

  expect(terminalHint(problem, locale)).toContain("kuromajutsu help tasks");
});

test("any other hint stays as the daemon wrote it", () => {
  const problem = { code: "VERSION_CONFLICT", hint: "Read it again." };

  expect(terminalHint(problem, "en")).toBe("Read it again.");
  expect(terminalHint({ code: "VERSION_CONFLICT" }, "en")).toBeUndefined();
});
