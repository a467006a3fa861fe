import { homedir } from "node:os";
import { createLineSplitter } from "../../../base/lines.ts";
import { fieldsOf, parseJson, textOf } from "../../../base/narrow.ts";
import { runBounded } from "../../bounded-run.ts";

const LIMIT_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;
const QUESTION = {
  type: "control_request",
  request_id: "models",
  request: { subtype: "initialize" },
};

/** The CLI has no command for it, but it answers an SDK. It asks no model and needs no sign-in. */
export async function listClaudeModels(
  command: string,
  timeoutMs = LIMIT_MS,
): Promise<readonly string[] | undefined> {
  let models: readonly string[] | undefined;
  const lines = createLineSplitter((line) => {
    models ??= parseClaudeModels(line);
  });
  await runBounded({
    argv: [
      command,
      "-p",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
      "--verbose",
      "--strict-mcp-config",
      "--no-session-persistence",
      "--tools=",
    ],
    env: { ...process.env, DISABLE_AUTOUPDATER: "1" },
    // Not the temporary directory: the CLI reads settings from its folder, and any user can write
    // there.
    cwd: homedir(),
    stdin: `${JSON.stringify(QUESTION)}\n`,
    timeoutMs,
    maxBytes: MAX_BYTES,
    stopSignal: "SIGTERM",
    onOutput: lines.push,
    isDone: () => models !== undefined,
  });
  return models;
}

/** The names in the answer; undefined: this line is not the answer, or it names no model. */
export function parseClaudeModels(line: string): readonly string[] | undefined {
  const event = fieldsOf(parseJson(line));
  const { models } = fieldsOf(fieldsOf(event.response).response);
  if (event.type !== "control_response" || !Array.isArray(models)) return undefined;
  const names = models
    .map((model) => textOf(fieldsOf(model).value))
    .filter((name) => name !== undefined);
  return names.length > 0 ? names : undefined;
}
