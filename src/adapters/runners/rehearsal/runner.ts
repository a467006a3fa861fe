import { isAbsolute } from "node:path";
import type { Runner } from "../../../app/ports/runner.ts";
import { isCursorDelta } from "../cursor/is-delta.ts";
import { parseCursorLine } from "../cursor/parse.ts";

export type RehearsalRunnerOptions = {
  /** How to start the process: the absolute path of a program, and its first arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs a real process without a model: docs/rehearsal.md. */
export function createRehearsalRunner(options: RehearsalRunnerOptions): Runner {
  const [program, ...rest] = options.command;
  if (program === undefined || !isAbsolute(program)) {
    throw new Error(`The rehearsal command ${options.command.join(" ")} is not an absolute path.`);
  }
  return {
    id: "rehearsal",
    stopSignal: "SIGTERM",
    defaultModel: null,
    vendorVariables: [],
    toolName: (tool) => tool,
    diagnose: () => undefined,
    detect: () => Promise.resolve({ command: program }),
    version: () => Promise.resolve(undefined),
    // Any model name is valid, because no model is asked.
    models: () => Promise.resolve(undefined),
    command: (request, command) => ({
      argv: [
        command,
        ...rest,
        ...(request.model === null ? [] : ["--model", request.model]),
        ...(request.access === "read-only" ? ["--mode", "ask"] : []),
      ],
      env: { ...options.env },
      stdin: request.prompt,
    }),
    isDelta: isCursorDelta,
    parse: parseCursorLine,
  };
}
