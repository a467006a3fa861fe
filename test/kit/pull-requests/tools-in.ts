import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const PROGRAM = fileURLToPath(new URL("./tool.mjs", import.meta.url));

const madeShape = z.array(
  z.object({
    branch: z.string(),
    target: z.string(),
    title: z.string(),
    body: z.string(),
    environment: z.array(z.string()),
  }),
);

/** In this folder: a `PATH` with git and stand-ins for these tools, and what they were asked to open. */
export function pullRequestToolsIn(home: string, tools: readonly ("gh" | "glab")[]) {
  const bin = join(home, "bin");
  mkdirSync(bin);
  for (const program of ["git", "sh", "cat", "env"]) {
    symlinkSync(execFileSync("which", [program], { encoding: "utf8" }).trim(), join(bin, program));
  }
  for (const tool of tools) {
    const line = `exec '${process.execPath}' '${PROGRAM}' ${tool} '${home}' "$@"`;
    writeFileSync(join(bin, tool), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }
  return {
    path: bin,
    signOut: () => writeFileSync(join(home, "signed-out"), ""),
    opened(tool: "gh" | "glab") {
      const file = join(home, `${tool}.json`);
      return existsSync(file) ? madeShape.parse(JSON.parse(readFileSync(file, "utf8"))) : [];
    },
  };
}
