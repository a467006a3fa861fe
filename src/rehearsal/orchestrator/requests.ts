import type { RehearsalTexts } from "../texts.ts";
import type { AgentRequest, Iteration } from "./iteration.ts";
import type { Plan } from "./plan.ts";

/**
 * First two agents, then one whose prompt quotes their results. `advice`: advice to replan, which
 * changes a prompt that would otherwise stay the same.
 */
export function requestsFor(
  plan: Plan,
  past: readonly Iteration[],
  advice: readonly string[],
  texts: RehearsalTexts,
): readonly AgentRequest[] {
  const { simulated } = texts;
  const last = plan.isSame ? undefined : past.at(-1);
  const number = last ? last.number + 1 : 1;
  const roles = last ? [pick(plan.roles, number - 1)] : [pick(plan.roles, 0), pick(plan.roles, 1)];
  return roles.map((role, index) => ({
    role,
    prompt: [
      simulated(texts.youAre(number, roles.length, index + 1, plan.task)),
      simulated(texts.onlyReport),
      ...(last ? cite(last, texts) : []),
      ...advice.map((text) => simulated(texts.advisedToReplan(text))),
      ...plan.childLines,
    ].join("\n"),
  }));
}

function cite({ number, results }: Iteration, texts: RehearsalTexts): readonly string[] {
  return [
    texts.simulated(texts.earlierResults(number)),
    ...results.map(({ agentId, status, summary }) => `- ${agentId} (${status}): ${summary}`),
  ];
}

function pick(roles: readonly string[], index: number): string {
  return roles[index % roles.length] ?? "";
}
