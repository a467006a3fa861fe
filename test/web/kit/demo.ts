import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./daemon.ts";

const BIN = fileURLToPath(new URL("../../../bin/kuromajutsu.js", import.meta.url));
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

export type Demo = Awaited<ReturnType<typeof aDemo>>;

/** `kuromajutsu demo` of a person with an empty home. */
export async function aDemo() {
  const home = mkdtempSync(join(tmpdir(), "kuromajutsu-web-"));
  const child = spawn(process.execPath, [BIN, "demo", "--no-open"], {
    cwd: home,
    env: { PATH: "/usr/bin:/bin", HOME: home, TMPDIR: home, LANG: "ja_JP.UTF-8" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const exited = once(child, "exit");
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the demo ended: ${said}`);
    return ADDRESS.test(said);
  }, "a demo");
  return {
    url: ADDRESS.exec(said)?.[0] ?? "",
    /** Ends the demo; returns what is left in the home. */
    async end(): Promise<readonly string[]> {
      child.kill("SIGINT");
      await exited;
      const left = readdirSync(home);
      rmSync(home, { recursive: true, force: true });
      return left;
    },
  };
}
