import { readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileProblem, PlannedChange, PlannedFile } from "../../app/ports/setup.ts";
import { errorCode, isCode } from "../../base/error-code.ts";
import type { ClientId } from "../../contract/mcp-clients.ts";
import { writeWholeFile } from "../config/write-whole-file.ts";
import { clientEntry } from "./client-entry.ts";
import type { ClientPlace } from "./client-place.ts";
import { mergeJson } from "./merge-json.ts";
import { mergeToml } from "./merge-toml.ts";
import { problemWithPlace } from "./own-place.ts";
import { renderEntry } from "./render-entry.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** What has to be written to the client's file, if anything. Writes nothing. */
export function planClientFile(
  client: ClientId,
  place: ClientPlace,
  command: readonly string[],
): PlannedFile {
  const file = { owner: client, path: join(place.base, ...place.names) };
  const wanted = clientEntry(client, command);
  const refused = (problem: FileProblem): PlannedFile => ({
    ...file,
    kind: "refused",
    problem,
    entry: renderEntry(client, wanted),
  });
  const problem = problemWithPlace(place);
  if (problem) return refused(problem);
  const read = readText(file.path);
  if ("problem" in read) return refused(read.problem);
  const before = read.text;
  const mark = before?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const merge = client === "codex" ? mergeToml : mergeJson;
  const merged = merge((before ?? "").slice(mark.length), wanted);
  if ("problem" in merged) return refused(merged.problem);
  if (merged.kind === "same") return { ...file, kind: "same" };
  const kind = before === undefined ? "create" : merged.kind;
  return { ...file, kind, before, after: mark + merged.text };
}

/** Writes the file if it is still as it was planned. */
export async function writePlanned(
  { path, before, after }: PlannedChange,
  place: Pick<ClientPlace, "base" | "names">,
  newMode: number,
): Promise<FileProblem | undefined> {
  const problem = problemWithPlace(place);
  if (problem) return problem;
  try {
    await mkdir(dirname(path), { recursive: true });
    const isStill = async () => (await currentText(path)) === before;
    const isWritten = await writeWholeFile(path, after, isStill, newMode);
    return isWritten ? undefined : { kind: "changed" };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return { kind: "io", detail: String(error) };
  }
}

async function currentText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

type ReadText = { readonly text: string | undefined } | { readonly problem: FileProblem };

/** Refuses a file that is not UTF-8: writing it back would destroy it. */
function readText(path: string): ReadText {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString("utf8");
    if (Buffer.from(text).equals(bytes)) return { text };
    return { problem: { kind: "io", detail: "not UTF-8" } };
  } catch (error) {
    if (isCode(error, "ENOENT")) return { text: undefined };
    if (errorCode(error) === undefined) throw error;
    return { problem: { kind: "io", detail: String(error) } };
  }
}
