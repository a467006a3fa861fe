import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Product } from "./product.ts";

/** The fake Cursor CLI the tests use too: sh, cat and printf. */
export const FAKE_CLIS = fileURLToPath(new URL("../../test/kit/bin", import.meta.url));

export type Place = {
  readonly dir: string;
  readonly dataDir: string;
  readonly env: Record<string, string>;
};

export type APlace = {
  /** Folders in front of PATH. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** kuromajutsu.config.yaml; JSON is YAML. */
  readonly config?: unknown;
};

/** A separate folder, so that the files of the machine's user are neither read nor changed. */
export function aPlace(product: Product, { path = [], env = {}, config }: APlace = {}): Place {
  const dir = mkdtempSync(join(product.dir, "p-"));
  const runtime = join(dir, "run");
  mkdirSync(runtime, { mode: 0o700 });
  if (config) writeFileSync(join(dir, "kuromajutsu.config.yaml"), JSON.stringify(config));
  const dataDir = join(dir, "data");
  return {
    dir,
    dataDir,
    env: {
      PATH: [...path, "/usr/bin", "/bin"].join(":"),
      HOME: dir,
      TMPDIR: product.tmp,
      XDG_CACHE_HOME: product.tmp,
      XDG_RUNTIME_DIR: runtime,
      KUROMAJUTSU_DATA_DIR: dataDir,
      KUROMAJUTSU_PORT: "0",
      KUROMAJUTSU_LOG_LEVEL: "warn",
      ...(config !== undefined && { KUROMAJUTSU_CONFIG: join(dir, "kuromajutsu.config.yaml") }),
      ...env,
    },
  };
}

const daemonFile = z.object({ pid: z.number(), url: z.string(), socketPath: z.string() });

export function readDaemonFile(place: Place): z.infer<typeof daemonFile> | undefined {
  try {
    return daemonFile.parse(JSON.parse(readFileSync(join(place.dataDir, "daemon.json"), "utf8")));
  } catch {
    return undefined;
  }
}

export function urlOf(place: Place): string {
  const found = readDaemonFile(place);
  if (!found) throw new Error("There is no daemon.");
  return found.url;
}
