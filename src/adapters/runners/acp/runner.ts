import { basename, isAbsolute } from "node:path";
import type { RunRequest, Runner, RunnerCommand } from "../../../app/ports/runner.ts";
import { findOnPath } from "../find-on-path.ts";
import { parseHostLine } from "../parse-host-line.ts";
import { readVersion } from "../read-version.ts";
import { knownAgent, KNOWN_AGENTS, type KnownAgent } from "./known-agents.ts";

export type AcpRunnerOptions = {
  /** How to start our ACP host: the absolute path of a program, and its first arguments. */
  readonly host: readonly string[];
  /** `agent.acpCommand`; empty: the first known CLI on PATH. */
  readonly command?: readonly string[];
  readonly path?: () => string | undefined;
};

/** Any CLI that speaks the Agent Client Protocol, through a host program of ours. */
export function createAcpRunner({
  host,
  command: configured = [],
  path = () => process.env.PATH,
}: AcpRunnerOptions): Runner {
  const commands =
    configured.length > 0 ? [configured] : KNOWN_AGENTS.map(({ command }) => command);

  async function find(): Promise<readonly string[] | undefined> {
    for (const [name = "", ...rest] of commands) {
      const file = isAbsolute(name) ? name : await findOnPath([name], path());
      if (file !== undefined) return [file, ...rest];
    }
    return undefined;
  }

  return {
    id: "acp",
    stopSignal: "SIGTERM",
    defaultModel: "default",
    vendorVariables: [...new Set(KNOWN_AGENTS.flatMap(({ runner }) => runner.vendorVariables))],
    toolName(tool) {
      const known = knownAgent(configured[0]);
      return known?.toolName?.(tool) ?? known?.runner.toolName(tool) ?? tool;
    },
    diagnose: () => undefined,
    async detect() {
      const found = await find();
      return found?.[0] === undefined ? undefined : { command: found[0] };
    },
    version: (command) => readVersion(command),
    prepare: async (command) => knownAgent(command)?.runner.prepare?.(command),
    models: () => Promise.resolve(undefined),
    command(request, executable): RunnerCommand {
      const name = basename(executable);
      const rest = commands.find(([first = ""]) => basename(first) === name)?.slice(1) ?? [];
      const known = knownAgent(executable);
      const { env = {}, files = [] } = known?.runner.command(request, executable) ?? {};
      return {
        argv: [...host, ...optionsOf(request, known), "--", executable, ...rest],
        env: { ...env, ...known?.env },
        stdin: request.prompt,
        files,
      };
    },
    // Deltas are short and are parsed like every other line.
    isDelta: () => false,
    parse: parseHostLine,
  };
}

function optionsOf(request: RunRequest, known: KnownAgent | undefined): readonly string[] {
  const { access, model, resumeSession, mcp } = request;
  const mode = known?.mode?.(request);
  const meta = known?.sessionMeta?.(request);
  return [
    `--access=${access}`,
    ...(known ? ["--asks-first"] : []),
    ...(model === null ? [] : [`--model=${model}`]),
    ...(mode === undefined ? [] : [`--mode=${mode}`]),
    ...(meta ? [`--session-meta=${JSON.stringify(meta)}`] : []),
    ...(resumeSession ? [`--resume=${resumeSession}`] : []),
    ...(mcp && !known?.namesOwnServer ? [`--mcp=${JSON.stringify(mcp)}`] : []),
  ];
}
