import { z } from "zod";
import { createWorkspaceTools } from "../../adapters/workspace-tools/create-workspace-tools.ts";
import type { Git } from "../../app/ports/git.ts";
import type { CommandRun } from "../../app/ports/workspace-tools.ts";
import { isRecord } from "../../base/narrow.ts";
import type { Handlers } from "../../base/peer.ts";
import { answered } from "./answered.ts";

/** What a server sends is not checked further: it decides what runs here. */
const commandShape = z.custom<Omit<CommandRun, "onLine" | "signal">>(isRecord);
const portsShape = z.object({
  range: z.object({ from: z.int(), to: z.int() }),
  count: z.int(),
  taken: z.array(z.object({ from: z.int(), count: z.int() })),
});
const copyShape = z.object({ from: z.string(), to: z.string(), globs: z.array(z.string()) });
const MAX_LINE_CHARS = 1_000;

export type CommandHandlers = {
  readonly git: Pick<Git, "find">;
  /** Names of further variables that commands inherit. */
  readonly variableNames: () => readonly string[];
  readonly tell: (name: "commandLine", args: unknown) => void;
};

/** What worktrees need of this host besides git. */
export function createCommandHandlers({ git, variableNames, tell }: CommandHandlers): Handlers {
  const tools = () => createWorkspaceTools({ variables: process.env, extraNames: variableNames() });
  const running = new Map<number, AbortController>();

  async function run(id: number, command: z.infer<typeof commandShape>) {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      return await tools().run({
        ...command,
        signal: abort.signal,
        onLine: (line) => tell("commandLine", { run: id, line: line.slice(0, MAX_LINE_CHARS) }),
      });
    } finally {
      running.delete(id);
    }
  }

  return {
    findPorts: answered((args) => {
      const { range, count, taken } = portsShape.parse(args);
      return tools().findPorts(range, count, taken);
    }),
    copyIgnored: answered(async (args) => {
      const { from, to, globs } = copyShape.parse(args);
      // The checkout is on the server. This host may have one at the same place.
      return (await git.find(from)) ? tools().copyIgnored(from, to, globs) : [];
    }),
    runCommand: answered((args) => {
      const { id, command } = z.object({ id: z.int(), command: commandShape }).parse(args);
      return run(id, command);
    }),
    stopCommand: (args) => running.get(z.object({ id: z.int() }).parse(args).id)?.abort(),
    endLeftovers: answered((args) =>
      tools().endLeftovers(z.object({ mark: z.string() }).parse(args).mark),
    ),
  };
}
