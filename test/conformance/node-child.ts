import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a program with this Node to its end. A failing exit code does not throw. */
export function runNode(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { ...options, maxBuffer: 64 * 1024 * 1024 },
      (_failure, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const manifest = z.object({ bin: z.record(z.string(), z.string()) });

/** The script behind a command of an installed package. */
export function binOf(manifestPath: string, command: string): string {
  const { bin } = manifest.parse(JSON.parse(readFileSync(manifestPath, "utf8")));
  const script = bin[command];
  if (script === undefined) throw new Error(`${manifestPath} has no command ${command}.`);
  return join(dirname(manifestPath), script);
}
