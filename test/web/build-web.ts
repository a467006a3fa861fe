import { readdirSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Rebuilds dist/web if one of its sources is newer. */
export async function buildWeb(): Promise<void> {
  const built = statSync(`${ROOT}dist/web/index.html`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestSource() < built) return;
  const { build } = await import("vite");
  await build({
    configFile: `${ROOT}web/vite.config.ts`,
    logLevel: "warn",
    // A daemon of another test run may still serve the files of the earlier build.
    build: { emptyOutDir: false },
  });
  removeOld(`${ROOT}dist/web/assets`);
}

const OLD_MS = 60 * 60_000;

function removeOld(folder: string): void {
  const before = Date.now() - OLD_MS;
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`;
    if (statSync(path).mtimeMs < before) rmSync(path);
  }
}

function newestSource(): number {
  const files = ["web", "src/contract"].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
  const all = [...files, `${ROOT}package-lock.json`];
  return Math.max(...all.map((path) => statSync(path).mtimeMs));
}
