import { textOf, type Fields } from "../../base/narrow.ts";
import { oneLine } from "../read-prompt.ts";
import type { Run } from "../run.ts";

const MAX_FILES = 5;
const MAX_CHARS = 200;

/** What the steps made, for the result of a task: the words of the tools and the files. */
export function whatCameOut({ touched, texts }: Run, results: readonly Fields[]): string {
  const words = results
    .map((result) => ("agentId" in result ? "" : oneLine(textOf(result.summary) ?? "", MAX_CHARS)))
    .filter((text) => text !== "");
  const files = [...new Set([...results.flatMap(filesIn), ...touched.created, ...touched.edited])];
  const places = files.slice(-MAX_FILES).map((file) => oneLine(file, MAX_CHARS));
  return texts.sentences([
    ...words,
    places.length === 0 ? texts.noFiles : texts.files(texts.list(places)),
  ]);
}

/** Agents name the files they changed; many tools answer with the path that they wrote. */
function filesIn({ path, createdFiles, editedFiles }: Fields): readonly string[] {
  return [path, ...listOf(createdFiles), ...listOf(editedFiles)].flatMap(
    (file) => textOf(file) ?? [],
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
