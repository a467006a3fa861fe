import { readFile } from "node:fs/promises";
import { readPlace } from "./read-place.ts";
import { SAVED_HEAD } from "./render-template.ts";

export type SavedFile = { readonly id: string; readonly text: string };

/** The templates that were saved as files in this folder; not those that a person wrote by hand. */
export async function savedFilesIn(folder: string): Promise<readonly SavedFile[]> {
  const { templates } = await readPlace({ source: "folder", folder }, new Map());
  const saved: SavedFile[] = [];
  for (const { template, path } of templates) {
    const text = await readFile(path, "utf8");
    if (text.startsWith(SAVED_HEAD)) saved.push({ id: template.id, text });
  }
  return saved;
}
