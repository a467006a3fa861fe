import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import { createCheckCommand } from "./check-command.ts";

const env = () => ({ PATH: process.env["PATH"] });
const check = createCheckCommand(env, 60_000);
/** Long enough for a process to start on a busy machine. */
const impatient = createCheckCommand(env, 5_000);
const node = process.execPath;

test("a checked command that exits with 0 is installed; its first line is the detail", async () => {
  expect(
    await check([node, "-e", "console.log('\\n\\u001b[1mv1.2\\u001b[0m\\nmore')"], "/"),
  ).toEqual({
    ok: true,
    detail: "v1.2",
  });
});

test.each([
  [[node, "-e", "console.error('no rules'); process.exit(3)"], "no rules"],
  [[node, "-e", "process.exit(3)"], "ended with 3"],
  [[node, "-e", "process.kill(process.pid, 'SIGTERM')"], "ended by SIGTERM"],
  [["no-such-command-anywhere"], "no-such-command-anywhere was not found (in /)"],
])("the check of %j fails and says why", async (argv, detail) => {
  expect(await check(argv, "/")).toEqual({ ok: false, detail });
});

test("a check in a directory that does not exist fails without an exception", async () => {
  expect(await check([node, "--version"], "/no/such/folder")).toMatchObject({ ok: false });
});

test("a checked command runs without a shell: shell syntax is an argument", async () => {
  const folder = aTempDir();

  const { detail } = await check(
    [node, "-p", "process.argv.slice(1).join()", "--", "; touch x", "$(id)"],
    folder,
  );

  expect(detail).toBe("; touch x,$(id)");
});

test("a checked command sees only the environment it is given", async () => {
  expect((await check([node, "-p", "Object.keys(process.env).join()"], "/")).detail).toBe("PATH");
});

test("a checked command that takes too long is ended, with all it started", async () => {
  const pidFile = join(aTempDir(), "pid");
  const script = `
    const { spawn } = require("node:child_process");
    const child = spawn("sleep", ["60"], { stdio: "inherit" });
    require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);`;

  expect(await impatient([node, "-e", script], "/")).toEqual({
    ok: false,
    detail: "no answer within 5 s",
  });
  const pid = Number(readFileSync(pidFile, "utf8"));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test("a checked command with endless output is ended without keeping the output", async () => {
  const { detail } = await createCheckCommand(env, 1_000)(
    [node, "-e", "for (;;) process.stdout.write('x'.repeat(65536))"],
    "/",
  );

  expect(detail).toBe("no answer within 1 s");
});

function isAlive(pid: number): boolean {
  try {
    // A zombie counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
