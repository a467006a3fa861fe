import { appendFile, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import type { Run } from "./run.ts";
import type { ToolEvent } from "./stream.ts";

export type FileChange = {
  readonly verb: "write" | "edit";
  readonly path: string;
  readonly text: string;
};
export type FilesTouched = { readonly created: Set<string>; readonly edited: Set<string> };

/** Writes a real file, only below the working directory, and never in a read-only run. */
export async function changeFile(
  { stream, isReadOnly, touched, texts }: Run,
  change: FileChange,
): Promise<void> {
  const path = resolve(change.path);
  const text = `${change.text}\n`;
  async function apply(): Promise<ToolEvent> {
    if (isReadOnly) return { rejected: { reason: texts.simulated(texts.readOnly) } };
    if (relative(process.cwd(), path).startsWith("..")) {
      return { error: { message: texts.simulated(texts.outside(path)) } };
    }
    try {
      const existed = await exists(path);
      await mkdir(dirname(path), { recursive: true });
      await (change.verb === "write" ? writeFile(path, text) : appendFile(path, text));
      (existed ? touched.edited : touched.created).add(path);
    } catch (error) {
      return { error: { message: error instanceof Error ? error.message : String(error) } };
    }
    return change.verb === "write"
      ? { success: { path, linesCreated: 1, fileSize: Buffer.byteLength(text) } }
      : { success: { path, linesAdded: 1, linesRemoved: 0, diffString: `+${change.text}` } };
  }

  if (change.verb === "write") await stream.tool("writeToolCall", { path, fileText: text }, apply);
  else await stream.tool("editToolCall", { path, streamContent: text }, apply);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
