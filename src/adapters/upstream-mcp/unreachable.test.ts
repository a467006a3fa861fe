import { expect, test } from "vitest";
import { unreachable } from "./unreachable.ts";

function wrapped(code: string): Error {
  const cause = Object.assign(new Error(`connect ${code}`), { code });
  const fetchFailed = new TypeError("fetch failed", { cause });
  return new Error("Version negotiation probe failed: fetch failed", { cause: fetchFailed });
}

test("a server that is not running is named by its address, with what to do", () => {
  expect(unreachable(wrapped("ECONNREFUSED"), "http://user:secret@127.0.0.1:3999/mcp")).toBe(
    "Nothing answers at http://127.0.0.1:3999 (ECONNREFUSED). Start the server, or correct its url in mcpServers.",
  );
});

test("a host without an address is named", () => {
  expect(unreachable(wrapped("ENOTFOUND"), "https://tools.example/mcp")).toBe(
    "The host tools.example was not found (ENOTFOUND). Correct the url of the server in mcpServers.",
  );
});

test("the errors of several addresses are found", () => {
  const each = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const cause = new AggregateError([each, each]);
  const error = new TypeError("fetch failed", { cause });
  expect(unreachable(error, "http://localhost:1/mcp")).toContain("Nothing answers at");
});

test("an error of a server that answered is left as it is", () => {
  expect(unreachable(new Error("HTTP 401"), "http://127.0.0.1:1/mcp")).toBeUndefined();
});
