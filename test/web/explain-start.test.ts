import { expect, test } from "vitest";
import { explainStart, programIn } from "./explain-start.ts";

test("explainStart names a missing library and the package that contains it", () => {
  const ldd = "\tlibdl.so.2 => /lib/libdl.so.2 (0x1)\n\tlibnss3.so => not found\n";

  expect(explainStart("browserType.launch: closed", ldd)).toBe(
    "the shared library libnss3.so is missing. Install it, on Debian and Ubuntu with: apt-get install -y libnss3",
  );
});

test("explainStart finds the missing library in the loader's message behind a start script", () => {
  const said =
    "browserType.launch: Target closed\n[err] /usr/lib/chromium/chromium: error while loading shared libraries: libasound.so.2: cannot open shared object file";

  expect(explainStart(said, "\tnot a dynamic executable\n")).toContain("libasound2");
  expect(programIn(said)).toBe("/usr/lib/chromium/chromium");
});

test("explainStart names a missing library without a known package", () => {
  expect(explainStart("", "libodd.so.9 => not found")).toMatch(
    /libodd\.so\.9 .*install -y chromium/,
  );
});

test("explainStart repeats the browser's message in other cases", () => {
  const said = "browserType.launch: spawn EACCES\nCall log:\n  - <launching>";

  expect(explainStart(said, "")).toBe("browserType.launch: spawn EACCES");
});

test("explainStart shows the output and exit of a browser that ends at once, not its command line", () => {
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
