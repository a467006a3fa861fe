import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test.each(["text", "json"] as const)(
  "no control character of a value reaches the terminal (%s)",
  (format) => {
    const lines: string[] = [];
    const log = createLog("info", (line) => lines.push(line), format);

    log.info("Refused.", { name: "a\u001B[2J b\u009B2J c\u007F d\r\ne" });

    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(lines[0]).toContain(String.raw`b\u009b2J`);
  },
);

test.each(["text", "json"] as const)(
  "an error in a field is logged with its message (%s)",
  (format) => {
    class Coded extends Error {
      readonly code = "E_CODE";
    }
    const lines: string[] = [];
    const log = createLog("info", (line) => lines.push(line), format);

    log.error("It failed.", { error: new Coded("Not connected."), inside: [new Coded("Gone.")] });

    expect(lines[0]).toContain("Error: Not connected.");
    expect(lines[0]).toContain("Error: Gone.");
  },
);
