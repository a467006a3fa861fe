import { installCommand } from "../../domain/health/cli-facts.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { LaunchOrder } from "../ports/agent-host.ts";
import type { Launch } from "../ports/supervisor.ts";
import { findRunner, requestedModel } from "../roles/resolve-runner.ts";

/** What the host of an agent has. A worker has these without the rest of the core. */
export type HostParts = Pick<Core, "runners" | "environment" | "supervisor">;

/** Builds the command line on the host that runs it: CLIs and paths differ between hosts. */
export async function buildLaunch(host: HostParts, order: LaunchOrder): Promise<Launch> {
  const { agent, token, prompt, progress, keys, variables } = order;
  const found = await findRunner(host, agent.runner);
  if (!found) {
    throw new Refusal("ROLE_UNAVAILABLE", {
      en: [
        `The ${agent.runner} CLI was not found on PATH.`,
        `Install it${installCommand(agent.runner)}, or set another runner for the role.`,
      ],
      ja: [
        `${agent.runner} の CLI が PATH に見つかりません。`,
        `インストールする${installCommand(agent.runner, "ja")}か、職種に別のランナーを指定してください。`,
      ],
    });
  }
  const { runner } = found;
  await runner.prepare?.(found.command);
  const command = runner.command(
    {
      ...agent,
      agentId: agent.id,
      model: requestedModel(agent.model),
      prompt,
      runDirectory: host.supervisor.runDirectory(agent.id, agent.attempt),
      mcp: host.environment.ownServer,
    },
    found.command,
  );
  return {
    agentId: agent.id,
    attempt: agent.attempt,
    runner: agent.runner,
    workingDirectory: agent.workingDirectory,
    progress,
    command: {
      ...command,
      env: { ...host.environment.forAgent(agent, token, keys), ...variables, ...command.env },
    },
  };
}
