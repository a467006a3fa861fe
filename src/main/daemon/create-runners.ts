import { createAcpRunner } from "../../adapters/runners/acp/runner.ts";
import { createClaudeRunner } from "../../adapters/runners/claude/runner.ts";
import { createCodexRunner } from "../../adapters/runners/codex/runner.ts";
import { createCursorRunner } from "../../adapters/runners/cursor/runner.ts";
import { createGeminiRunner } from "../../adapters/runners/gemini/runner.ts";
import { createOpencodeRunner } from "../../adapters/runners/opencode/runner.ts";
import { createRehearsalRunner } from "../../adapters/runners/rehearsal/runner.ts";
import type { Runner } from "../../app/ports/runner.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import { acpHostCommand, codexHostCommand, feederCommand, rehearsalCommand } from "../entries.ts";
import { sharedCompileCache } from "../process/compile-cache.ts";

type RunnerSettings = { readonly acpCommand: readonly string[] };

export function createRunners({ acpCommand }: RunnerSettings): Map<RunnerId, Runner> {
  const all = [
    createCursorRunner(),
    createClaudeRunner({ feeder: feederCommand() }),
    createCodexRunner({ host: codexHostCommand() }),
    createGeminiRunner(),
    createOpencodeRunner(),
    createAcpRunner({ host: acpHostCommand(), command: acpCommand }),
    createRehearsalRunner({ command: rehearsalCommand(), env: sharedCompileCache() }),
  ];
  return new Map(all.map((runner) => [runner.id, runner]));
}

export function requireRunner(runners: ReadonlyMap<RunnerId, Runner>, id: RunnerId): Runner {
  const runner = runners.get(id);
  if (!runner) throw new Error(`There is no runner ${id} in this version.`);
  return runner;
}
