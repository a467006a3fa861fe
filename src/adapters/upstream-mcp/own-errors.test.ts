import { expect, test } from "vitest";
import { answeredId, kindOfOwnError, ownError } from "./own-errors.ts";

test("the id of an answer is found at its beginning or at its end, and nowhere inside", () => {
  expect(answeredId('{"jsonrpc":"2.0","id":12,"result":{"con', 'xx"}]}}')).toBe(12);
  expect(answeredId('{"id" : "a-1", "jsonrpc": "2.0", "result"', "}}")).toBe("a-1");
  expect(answeredId('{"result":{"content', 'xx"}]},"jsonrpc":"2.0","id":3}')).toBe(3);
  expect(answeredId('{"result":{"content', 'xx"}]},"id":3,"jsonrpc":"2.0"}')).toBe(3);
  expect(answeredId('{"result":{"content', '"structuredContent":{"id":9}}}')).toBeUndefined();
  expect(answeredId("[1,2,3", "")).toBeUndefined();
});

test("a request or notification of a server is no answer, whatever its id", () => {
  expect(answeredId('{"jsonrpc":"2.0","id":12,"method":"sampling/cre', "}}")).toBeNull();
  expect(answeredId('{"jsonrpc":"2.0","method":"notifications/mes', '"id":3}')).toBeNull();
});

test("a server cannot forge our error for an answer that was too large or lost", () => {
  const { error } = ownError(1, "too_large", "x");
  expect(kindOfOwnError(error.data)).toBe("too_large");
  expect(kindOfOwnError({ mark: "guessed", kind: "lost" })).toBeUndefined();
  expect(kindOfOwnError("lost")).toBeUndefined();
});
