import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../daemon.ts";
import { until } from "../daemon.ts";

const REAL = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

export type GitGate = {
  /** Resolves when a git command waits. */
  reached(): Promise<void>;
  open(): void;
};

/** Puts a git before the real one on the PATH of a place. `script` runs first and sees the arguments. */
function wrapGit(place: Place, script: string): void {
  const bin = join(place.dir, "git-bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\nexec ${REAL} "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  Object.assign(place.env, { PATH: `${bin}:${place.env["PATH"] ?? process.env["PATH"] ?? ""}` });
}

/** The git of a place waits at the first command whose arguments contain `words`. */
export function aGitGate(place: Place, words: string): GitGate {
  const [closed, waiting] = [join(place.dir, "git-closed"), join(place.dir, "git-waits")];
  writeFileSync(closed, "");
  wrapGit(
    place,
    `case "$*" in *"${words}"*) while [ -e ${closed} ]; do : > ${waiting}; sleep 0.1; done;; esac`,
  );
  return {
    reached: () => until(() => existsSync(waiting)),
    open: () => rmSync(closed, { force: true }),
  };
}

/** The first git that writes a bundle holds its lock, as git does, until the gate opens. */
export function aSlowBundle(place: Place): GitGate {
  const [closed, waiting] = [join(place.dir, "git-closed"), join(place.dir, "git-waits")];
  writeFileSync(closed, "");
  wrapGit(
    place,
    `case "$1 $2" in "bundle create") if mkdir ${waiting} 2>/dev/null; then : > "$4.lock"; while [ -e ${closed} ]; do sleep 0.1; done; rm "$4.lock"; fi;; esac`,
  );
  return {
    reached: () => until(() => existsSync(waiting)),
    open: () => rmSync(closed, { force: true }),
  };
}

/** The git of a place writes a bundle of this size, which takes no room on the disk. */
export function aBundleOf(place: Place, megabytes: number): void {
  wrapGit(place, `case "$1 $2" in "bundle create") truncate -s ${megabytes}M "$4"; exit 0;; esac`);
}

/** The git of a place writes nonsense instead of a bundle. */
export function aHostileGit(place: Place): void {
  wrapGit(
    place,
    `case "$1 $2" in "bundle create") printf '# v2 git bundle\\n%040d refs/heads/main\\n\\nPACK' 7 > "$4"; exit 0;; esac`,
  );
}
