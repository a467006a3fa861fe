import type { Access } from "../../domain/agents/agent.ts";
import type { Core, VendorKeys } from "../core.ts";
import type { ProbeAnswer } from "../ports/health.ts";
import type { Runner } from "../ports/runner.ts";
import { requestedModel, type FoundRunner } from "../roles/resolve-runner.ts";
import { CHECK_TOOL } from "./probes.ts";

/** What a CLI did in one real run: it answered, connected to our MCP server, called the tool. */
export type CliAnswer = ProbeAnswer & {
  readonly answered: boolean;
  readonly connected: boolean;
  readonly calledTool: boolean;
};

export type AskCli = {
  readonly model: string;
  readonly access: Access;
  readonly prompt: string;
  /** Keys of the caller that the daemon lacks. */
  readonly keys?: VendorKeys;
};

/** Runs the CLI once, with our MCP server and a token that counts only for this run. */
export async function askCli(
  core: Core,
  { runner, command }: FoundRunner,
  { model, access, prompt, keys }: AskCli,
  signal: AbortSignal,
): Promise<CliAnswer> {
  await runner.prepare?.(command);
  const token = core.tokens.create();
  const probe = core.health.probes.open(core.tokens.hash(token));
  try {
    const env = core.environment.forProbe(runner.id, token, keys);
    const answer = await core.healthProbe.ask(
      {
        runner,
        executable: command,
        model: requestedModel(model),
        prompt: withToolCall(runner, prompt),
        access,
        mcp: core.environment.ownServer,
        env,
        secrets: [token, ...runner.vendorVariables.flatMap((name) => env[name] ?? [])],
        timeoutMs: core.settings.healthCheck.timeoutMs,
      },
      signal,
    );
    const { connected, calledTool } = probe;
    return judged({ ...answer, answered: answer.ok, connected, calledTool }, runner);
  } finally {
    probe.close();
  }
}

/** The prompt of the role comes last, because it says what the answer should be. */
function withToolCall(runner: Runner, prompt: string): string {
  const tool = runner.toolName(CHECK_TOOL);
  return `First call the MCP tool ${tool} of the server kuromajutsu once, without arguments. If there is no such tool, continue without it. Use no other tool. Then do this:\n\n${prompt}`;
}

/** An agent that answers but cannot reach our MCP server could neither report nor be notified. */
function judged(answer: CliAnswer, runner: Runner): CliAnswer {
  if (!answer.ok || answer.calledTool) return answer;
  if (answer.connected) {
    return { ...answer, reason: remark(answer, "It connected, but its model called no tool.") };
  }
  if (runner.usesOwnMcpEntry) {
    return {
      ...answer,
      reason: remark(
        answer,
        "It answered, but its own settings have no entry for Kuromajutsu. Run `kuromajutsu init` to add it.",
      ),
    };
  }
  return {
    ...answer,
    ok: false,
    reason: "It answered, but it did not connect to Kuromajutsu, so its agents could not report.",
  };
}

function remark({ reason }: CliAnswer, text: string): string {
  return reason === null ? text : `${text} ${reason}`;
}
