import { execFile } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const LIMIT_MS = 20_000;

/** undefined: it could not be asked (not logged in, offline, too old), or named no model. */
export async function listCursorModels(command: string): Promise<readonly string[] | undefined> {
  const output = await new Promise<string | undefined>((resolve) => {
    const child = execFile(
      command,
      ["models"],
      { timeout: LIMIT_MS, killSignal: "SIGKILL" },
      (error, stdout) => {
        resolve(error ? undefined : stdout);
      },
    );
    child.stdin?.end();
  });
  if (output === undefined) return undefined;
  const models = parseModels(output);
  return models.length > 0 ? models : undefined;
}

/** One id per line, with or without bullets, marks and a description; headings and advice are not ids. */
export function parseModels(output: string): readonly string[] {
  const models = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map(modelOf)
    .filter((id) => id !== undefined);
  return [...new Set(models)];
}

const DECORATION = /^[\s\-*+•·>❯›→✓✔|│]+/u;
const ID = /^[a-z0-9](?:[\w.:/@+,=[\]-]*[\w\]])?/i;
/** What may stand behind an id; a second word after one space makes it a sentence. */
const DESCRIPTION = /^(?:\s*$|\s+[-–—(*←✓✔|│]|\s{2,}|\t)/u;

function modelOf(line: string): string | undefined {
  const text = line.replace(DECORATION, "");
  const id = ID.exec(text)?.[0];
  if (id === undefined || !DESCRIPTION.test(text.slice(id.length))) return undefined;
  // "Models" alone on its line is a heading; ids in capitals have a digit or a dash.
  return /^[A-Z]/.test(id) && !/[\d-]/.test(id) ? undefined : id;
}
