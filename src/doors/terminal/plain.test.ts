import { expect, test } from "vitest";
import { plain } from "./plain.ts";

test("escape sequences, control and direction characters of others never reach the terminal", () => {
  const hostile = "a\u001B[2Jb\u001B]0;title\u0007c\u0008d\u202Ee\r\nf\tg";

  expect(plain(hostile)).toBe("abcde\nf\tg");
});
