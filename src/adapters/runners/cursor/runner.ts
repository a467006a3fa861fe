import type { Runner, RunRequest } from "../../../app/ports/runner.ts";
import { createPathSearch } from "../find-on-path.ts";
import { isCursorDelta } from "./is-delta.ts";
import { listCursorModels } from "./models.ts";
import { parseCursorLine } from "./parse.ts";

/** Newer installations are called `agent`, older ones `cursor-agent`. */
const NAMES = ["agent", "cursor-agent"];

export type CursorRunnerOptions = {
  readonly path?: () => string | undefined;
  readonly modelsTimeoutMs?: number;
};

export function createCursorRunner({
  path = () => process.env.PATH,
  modelsTimeoutMs,
}: CursorRunnerOptions = {}): Runner {
  const search = createPathSearch(NAMES, path);

  async function detect() {
    const command = await search();
    return command === undefined ? undefined : { command };
  }

  return {
    id: "cursor",
    stopSignal: "SIGTERM",
    // The built-in roles name Cursor models themselves.
    defaultModel: null,
    vendorVariables: ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN", "CURSOR_CONFIG_DIR"],
    detect,
    async models() {
      const found = await detect();
      return found && listCursorModels(found.command, modelsTimeoutMs);
    },
    command: (request, command) => ({
      argv: [
        command,
        "-p",
        // Without a terminal the CLI refuses, or hangs in, a directory it has not seen before. The
        // flag answers that question only; it permits no tool.
        "--trust",
        ...permissions(request),
        // Unverified: the reference names it for a chat's id.
        ...(request.resumeSession ? ["--resume", request.resumeSession] : []),
        "--model",
        request.model,
        "--output-format",
        "stream-json",
        "--stream-partial-output",
      ],
      env: {},
      // As an argument it would be cut off at 128 KiB and be readable by every user of the machine.
      stdin: request.prompt,
    }),
    isDelta: isCursorDelta,
    parse: parseCursorLine,
  };
}

/** A health check runs nothing and needs no server, so it gets no permission at all. */
function permissions({ access, purpose }: RunRequest): readonly string[] {
  // Unverified: the CLI's reference has `--mode plan|ask`, no run of ours has seen it refuse a
  // write. The user's tree is guarded by nothing else here.
  const mode = access === "read-only" ? ["--mode", "ask"] : [];
  if (purpose === "health-check") return mode;
  return [...mode, ...(access === "read-write" ? ["--force"] : []), "--approve-mcps"];
}
