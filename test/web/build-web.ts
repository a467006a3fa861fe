import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds dist/web anew if a source of it is newer. */
export async function buildWeb(): Promise<void> {
  const built = statSync(`${ROOT}dist/web/index.html`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestSource() < built) return;
  const { build } = await import("vite");
  await build({
    configFile: `${ROOT}web/vite.config.ts`,
    logLevel: "warn",
    // Nothing is removed: a daemon of another test run may be serving it right now.
    build: { emptyOutDir: false },
  });
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
