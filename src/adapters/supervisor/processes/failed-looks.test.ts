import { expect, test } from "vitest";
import { createFailedLooks } from "./failed-looks.ts";

function emfile(): Error {
  return Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
}

test("failed looks are logged once a minute, with what to do and how many were left out", () => {
  const lines: string[] = [];
  const note = (message: string, fields?: object) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  let now = 1_000;
  const report = createFailedLooks({ debug: note, info: note, warn: note, error: note }, () => now);

  for (let n = 0; n < 100; n++) report(emfile(), { key: "impl-1-a.1" });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("ulimit -n");

  now += 60_000;
  report(emfile());
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"leftOut":99');
});
