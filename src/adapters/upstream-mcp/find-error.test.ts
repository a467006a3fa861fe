import { expect, test } from "vitest";
import { findError } from "./find-error.ts";

const FRAMES = Array.from(
  { length: 40 },
  (_, line) => `    at deep (file:///server/main.mjs:${line}:112)`,
).join("\n");

test.each([
  [
    "an uncaught error of Node",
    `Listening soon.

file:///server/main.mjs:1
  throw new TypeError("DATABASE_URL is not set");
        ^

TypeError: DATABASE_URL is not set
${FRAMES} {
  [cause]: Error: inner
      at deep (file:///server/main.mjs:1:89)
}

Node.js v24.21.0
`,
    "TypeError: DATABASE_URL is not set",
  ],
  [
    "an error with two lines",
    `Error: Cannot find module 'pg'\nRequire stack:\n${FRAMES}\n`,
    "Error: Cannot find module 'pg'\nRequire stack:",
  ],
  [
    "Python",
    `Traceback (most recent call last):
  File "/server/main.py", line 5, in <module>
    run()
ValueError: no DSN
`,
    "ValueError: no DSN",
  ],
  [
    "Java",
    `Exception in thread "main" java.lang.IllegalStateException: no DSN
\tat Main.main(Main.java:3)
`,
    'Exception in thread "main" java.lang.IllegalStateException: no DSN',
  ],
  [
    "Go",
    `panic: no DSN

goroutine 1 [running]:
main.main()
\t/server/main.go:3 +0x1d
exit status 2
`,
    "panic: no DSN",
  ],
  [
    "a program that says it in words",
    "\u001b[31mPort 80 is taken.\u001b[0m\n",
    "Port 80 is taken.",
  ],
  ["a program that says nothing", "", ""],
])("the error of %s is found without the frames of its stack trace", (_, stderr, error) => {
  expect(findError(stderr)).toBe(error);
});

test("without a stack trace the last whole lines of a long stderr are shown", () => {
  const lines = Array.from({ length: 100 }, (_, line) => `line ${line}`);

  const found = findError(lines.join("\n"));

  expect(found).toMatch(/^… line \d+\n/);
  expect(found).toMatch(/\nline 99$/);
  expect(found.length).toBeLessThan(510);
});
