import type { Agent } from "../agents/agent.ts";

type Member = Pick<Agent, "createdAt" | "endedAt">;

/**
 * The agents of a group since it was last idle. A group has no end of its own: it is over for now
 * when all its agents are settled, and a later request begins the next wave. Newest first.
 */
export function lastWave<Each extends Member>(newestFirst: readonly Each[]): readonly Each[] {
  let began = Infinity;
  const wave: Each[] = [];
  for (const agent of newestFirst) {
    if (wave.length > 0 && (agent.endedAt ?? Infinity) < began) break;
    wave.push(agent);
    began = Math.min(began, agent.createdAt);
  }
  return wave;
}
