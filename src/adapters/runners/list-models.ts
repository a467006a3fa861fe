import { homedir } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { runBounded } from "../bounded-run.ts";

const LIMIT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;

/** undefined: the CLI did not answer (not logged in, offline, too old), or listed no model. */
export async function listModels(
  argv: readonly string[],
  timeoutMs = LIMIT_MS,
): Promise<readonly string[] | undefined> {
  const chunks: Buffer[] = [];
  const { how, exitCode } = await runBounded({
    argv,
    env: { ...process.env, PWD: homedir() },
    // Not the temporary directory: the CLI reads settings from its folder, and any user can write
    // there.
    cwd: homedir(),
    stdin: "",
    timeoutMs,
    maxBytes: MAX_BYTES,
    stopSignal: "SIGTERM",
    onOutput: (chunk) => void chunks.push(chunk),
  });
  if (how !== "exited" || exitCode !== 0) return undefined;
  const models = parseModels(Buffer.concat(chunks).toString("utf8"));
  return models.length > 0 ? models : undefined;
}

/**
 * One id per line, with or without bullets, marks and a description; headings and advice are
 * skipped.
 */
export function parseModels(output: string): readonly string[] {
  const models = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map(modelOf)
    .filter((id) => id !== undefined);
  return [...new Set(models)];
}

const DECORATION = /^[\s\-*+•·>❯›→✓✔|│]+/u;
const ID = /^[a-z0-9](?:[\w.:/@+,=[\]-]*[\w\]])?/i;
/** What may follow an id; a second word after one space makes the line a sentence. */
const DESCRIPTION = /^(?:\s*$|\s+[-–—(*←✓✔|│]|\s{2,}|\t)/u;

function modelOf(line: string): string | undefined {
  const text = line.replace(DECORATION, "");
  const id = ID.exec(text)?.[0];
  if (id === undefined || !DESCRIPTION.test(text.slice(id.length))) return undefined;
  // "Models" alone on a line is a heading; ids in capitals have a digit or a dash.
  return /^[A-Z]/.test(id) && !/[\d-]/.test(id) ? undefined : id;
}
