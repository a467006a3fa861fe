import { expect, test } from "vitest";
import { errorCode, isCode } from "./error-code.ts";

const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });

test("the code of a system error is read, and any other value has none", () => {
  expect(errorCode(missing)).toBe("ENOENT");
  expect([new Error("x"), { code: "ENOENT" }, undefined].map(errorCode)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a system error is compared with several codes", () => {
  expect(isCode(missing, "EACCES", "ENOENT")).toBe(true);
  expect([isCode(missing, "EACCES"), isCode(undefined, "ENOENT")]).toEqual([false, false]);
});
