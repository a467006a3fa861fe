import { expect, test } from "vitest";
import { renameArguments } from "./rename-arguments.ts";

test.each([
  [
    { text: "x", priority: "low" },
    { request: "x", priority: "low" },
  ],
  [{ request: "x" }, { request: "x" }],
  [
    { text: "x", request: "y" },
    { text: "x", request: "y" },
  ],
  [null, null],
])("renaming text to request in %j gives %j", (args, renamed) => {
  expect(renameArguments(args, { text: "request" })).toEqual(renamed);
});
