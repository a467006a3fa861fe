import type { AgentRequest, Iteration } from "./iteration.ts";
import type { Plan } from "./plan.ts";

/**
 * Two agents first; then one whose prompt cites what they brought. `advice` is what we were told
 * about replanning, so a prompt that is otherwise the same changes with it.
 */
export function requestsFor(
  plan: Plan,
  past: readonly Iteration[],
  advice: readonly string[],
): readonly AgentRequest[] {
  const last = plan.isSame ? undefined : past.at(-1);
  const number = last ? last.number + 1 : 1;
  const roles = last ? [pick(plan.roles, number - 1)] : [pick(plan.roles, 0), pick(plan.roles, 1)];
  return roles.map((role, index) => ({
    role,
    prompt: [
      `リハーサル: 反復 ${number} の ${roles.length} 人のうち ${index + 1} 人目です。依頼は「${plan.task}」です。`,
      "リハーサル: 実際の作業はせず、これを読んだことだけを report_result で報告してください。",
      ...(last ? cite(last) : []),
      ...advice.map((text) => `リハーサル: 計画の見直しを求められました: ${text}`),
      ...plan.childLines,
    ].join("\n"),
  }));
}

function cite({ number, outcomes }: Iteration): readonly string[] {
  return [
    `リハーサル: 反復 ${number} の結果は次のとおりでした。`,
    ...outcomes.map(({ agentId, status, summary }) => `- ${agentId} (${status}): ${summary}`),
  ];
}

function pick(roles: readonly string[], index: number): string {
  return roles[index % roles.length] ?? "";
}
