import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { othersMayWrite } from "../others-may-write.ts";
import { ConfigError } from "./config-error.ts";

const ROOT = 0;

/**
 * A file that was found by searching is used only if no other user can change it or its folder,
 * which holds the commands with relative paths. root can change everything anyway.
 */
export function requireOwnFile(path: string): void {
  for (const [place, what] of [
    [path, "it"],
    [dirname(path), "its folder"],
  ] as const) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const problem = problemWith(found, place, what);
    if (problem) throw new ConfigError([{ text: refusal(path, problem), at: null }]);
  }
}

function problemWith(found: Stats, place: string, what: string): string | undefined {
  const uid = process.getuid?.() ?? ROOT;
  if (found.uid !== uid && found.uid !== ROOT) {
    return `${what} belongs to another user (uid ${found.uid}; you are ${uid}). Make ${place} yours with chown`;
  }
  if (!othersMayWrite(found)) return undefined;
  const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
  if ((found.mode & 0o1000) !== 0) {
    return `${what} is shared by all users (mode ${mode}). Move the file to a folder of your own`;
  }
  return `other users may change ${what} (mode ${mode}). Run: chmod go-w ${place}`;
}

function refusal(path: string, problem: string): string {
  return `${path}: not used, because ${problem}. Or, if you know the file, name it: --config ${path}`;
}
