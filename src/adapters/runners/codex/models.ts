import { homedir } from "node:os";
import { createLineSplitter } from "../../../base/lines.ts";
import { fieldsOf, parseJson, textOf } from "../../../base/narrow.ts";
import { runBounded } from "../../bounded-run.ts";

const LIMIT_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;
const QUESTIONS = [
  {
    id: 1,
    method: "initialize",
    params: { clientInfo: { name: "kuromajutsu", title: "Kuromajutsu", version: "1" } },
  },
  { method: "initialized" },
  { id: 2, method: "model/list", params: {} },
];

/** The CLI has no command for it, but its app server answers. It asks no model. */
export async function listCodexModels(
  command: string,
  timeoutMs = LIMIT_MS,
): Promise<readonly string[] | undefined> {
  let models: readonly string[] | undefined;
  const lines = createLineSplitter((line) => {
    models ??= parseCodexModels(line);
  });
  await runBounded({
    argv: [command, "app-server"],
    env: process.env,
    cwd: homedir(),
    stdin: QUESTIONS.map((question) => `${JSON.stringify(question)}\n`).join(""),
    // It exits at the end of its input, without an answer.
    holdsStdin: true,
    timeoutMs,
    maxBytes: MAX_BYTES,
    stopSignal: "SIGINT",
    onOutput: lines.push,
    isDone: () => models !== undefined,
  });
  return models;
}

/** The names in the answer; undefined: this line is not the answer, or it names no model. */
export function parseCodexModels(line: string): readonly string[] | undefined {
  const answer = fieldsOf(parseJson(line));
  const { data } = fieldsOf(answer.result);
  if (answer.id !== 2 || !Array.isArray(data)) return undefined;
  const names = data
    .map(fieldsOf)
    .filter(({ hidden }) => hidden !== true)
    .map(({ model, id }) => textOf(model) ?? textOf(id))
    .filter((name) => name !== undefined);
  return names.length > 0 ? names : undefined;
}
