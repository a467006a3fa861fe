import { NOTIFICATION_LINE } from "../../src/domain/notifications/notification.ts";
import type { Action, Turn } from "../kit/mock-llm/script.ts";
import { aRequest, hasLive, isAtRest, lastAttempt, type SeenTask } from "../kit/story.ts";
import { HOW, type Driver } from "./drivers.ts";
import { aScene, isGone, type Scene } from "./kit.ts";

export type Work = (turn: Turn, scene: Scene) => readonly Action[] | Promise<readonly Action[]>;

type AnExecution = {
  readonly work: Work;
  readonly config?: Record<string, unknown>;
  /** Directives of the request, for the rehearsal that drafts the steps. */
  readonly directives?: readonly string[];
};

/** A task that is being executed by this driver. Its drafts are those of the rehearsal. */
export async function anExecution(driver: Driver, { work, config, directives = [] }: AnExecution) {
  const { runner, ...agent } = HOW[driver].agent;
  const scene: Scene = await aScene(driver, (turn) => work(turn, scene), {
    agent: { ...agent, runner: "rehearsal" },
    config: {
      roles: [{ id: "executor", runner }],
      interrupt: { hardStopAfter_ms: 5_000 },
      ...config,
    },
  });
  const { story } = scene;
  const taskId = await story.start(aRequest(...directives));
  await story.reach(taskId, hasLive);
  return {
    ...scene,
    taskId,
    isOver: async (status: string): Promise<SeenTask> => {
      const task = await story.reach(
        taskId,
        (now) => lastAttempt(now).status === status && isAtRest(now),
      );
      for (const { agentId } of task.agents) await isGone(agentId);
      return task;
    },
  };
}

/** A model that follows the rule about notifications, and otherwise works. */
export function obedient(work: Work): Work {
  return (turn, scene) => {
    const last = turn.results.at(-1);
    if (last?.tool === "report_completed") return [{ say: "I have stopped." }];
    if (last?.tool === "get_notifications") {
      return [{ call: "report_completed", input: { result: "blocked", summary: "I stop." } }];
    }
    if (last?.text?.includes(NOTIFICATION_LINE)) return [{ call: "get_notifications" }];
    return work(turn, scene);
  };
}

/** What the executor's agent is called. */
export const executorOf = (task: SeenTask) => lastAttempt(task).agentIds.at(-1) ?? "";
