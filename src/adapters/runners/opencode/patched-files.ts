import { fieldsOf, textOf } from "../../../base/narrow.ts";
import type { FileChange } from "../../../domain/agents/runner.ts";

/** The files of a patch: `[{filePath, type, movePath?}]`. A move deletes one file and writes another. */
export function patchedFiles(files: unknown): readonly FileChange[] {
  if (!Array.isArray(files)) return [];
  return files.map(fieldsOf).flatMap((file): readonly FileChange[] => {
    const path = textOf(file.filePath);
    const moved = textOf(file.movePath);
    if (path === undefined) return [];
    switch (file.type) {
      case "add":
        return [{ path, change: "created" }];
      case "delete":
        return [{ path, change: "deleted" }];
      case "move":
        return moved === undefined
          ? [{ path, change: "edited" }]
          : [
              { path, change: "deleted" },
              { path: moved, change: "unknown" },
            ];
      default:
        return [{ path, change: "edited" }];
    }
  });
}
