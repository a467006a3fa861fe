import { expect, test } from "vitest";
import { explainStart, programIn } from "./explain-start.ts";

test("a browser without a library names it and the package that has it", () => {
  const ldd = "\tlibdl.so.2 => /lib/libdl.so.2 (0x1)\n\tlibnss3.so => not found\n";

  expect(explainStart("browserType.launch: closed", ldd)).toBe(
    "the shared library libnss3.so is missing. Install it, on Debian and Ubuntu with: apt-get install -y libnss3",
  );
});

test("behind a start script the loader's own words are enough", () => {
  const said =
    "browserType.launch: Target closed\n[err] /usr/lib/chromium/chromium: error while loading shared libraries: libasound.so.2: cannot open shared object file";

  expect(explainStart(said, "\tnot a dynamic executable\n")).toContain("libasound2");
  expect(programIn(said)).toBe("/usr/lib/chromium/chromium");
});

test("a library nobody here knows is named all the same", () => {
  expect(explainStart("", "libodd.so.9 => not found")).toMatch(
    /libodd\.so\.9 .*install -y chromium/,
  );
});

test("anything else is told in the browser's own words", () => {
  const said = "browserType.launch: spawn EACCES\nCall log:\n  - <launching>";

  expect(explainStart(said, "")).toBe("browserType.launch: spawn EACCES");
});

test("of a browser that ends at once: what it said and how it ended, not how it was called", () => {
  const said = [
    "browserType.launch: Target closed",
    "Browser logs:",
    "",
    "<launching> /usr/bin/chromium --headless --no-sandbox",
    "<launched> pid=7",
    "[pid=7][err] No usable sandbox!",
    "Call log:",
    "  - <launching> /usr/bin/chromium --headless --no-sandbox",
    "  - [pid=7] <process did exit: exitCode=3, signal=null>",
  ].join("\n");

  expect(explainStart(said, "")).toBe(
    "browserType.launch: Target closed No usable sandbox! (It ended with 3.)",
  );
});
