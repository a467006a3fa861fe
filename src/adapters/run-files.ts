import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Writes the files of a run; the folder of a run without files is not made. */
export function writeRunFiles(
  folder: string,
  files: readonly { readonly name: string; readonly content: string }[] = [],
): void {
  if (files.length === 0) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, content } of files) {
    if (basename(name) !== name) throw new Error(`${name} is not the name of a file.`);
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  }
}

/** Appends to a file of a run that only the owner can read. */
export function appendToRun(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  appendFileSync(join(folder, name), text, { mode: 0o600 });
}
