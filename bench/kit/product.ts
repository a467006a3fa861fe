import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Not /tmp: after test runs have deleted thousands of files there, creating one takes half a millisecond
 * for some minutes on ext4 (without a journal), which would dominate the figures.
 */
const BASE = process.env["TMPDIR"] ?? "/var/tmp";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export type Product = {
  /** All files of a run are in here. */
  readonly dir: string;
  readonly bin: string;
  /** The compile cache: warm after the first start, as on a user's machine. */
  readonly tmp: string;
};

/** Builds a separate copy, because `dist/` may be rebuilt by another process while we measure. */
export function buildProduct(ends: DisposableStack): Product {
  const dir = mkdtempSync(join(BASE, "kuro-bench-"));
  ends.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(dir, "product");
  const tmp = join(dir, "tmp");
  mkdirSync(home);
  mkdirSync(tmp);
  for (const part of ["bin", "package.json"]) {
    cpSync(join(ROOT, part), join(home, part), { recursive: true });
  }
  const rolldown = join(ROOT, "node_modules/.bin/rolldown");
  const made = spawnSync(
    process.execPath,
    [rolldown, "-c", "rolldown.config.js", "-d", join(home, "dist")],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`The build failed:\n${made.stdout}${made.stderr}`);
  return { dir, bin: join(home, "bin/kuromajutsu.js"), tmp };
}
