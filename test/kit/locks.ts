import { readdirSync } from "node:fs";

/** Lock files in a git directory, except the marks of locked worktrees. */
export function locksOf(gitDirectory: string): string[] {
  return readdirSync(gitDirectory, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".lock") && !path.startsWith("objects"),
  );
}
