import { z } from "zod";
import { TASK_STATUSES } from "../../../domain/tasks/task.ts";
import {
  checkedOption,
  CONFIG_OPTION,
  defineCommand,
  flag,
  JSON_OPTION,
  option,
  optionalArgument,
  optionalChoice,
} from "../define-command.ts";

const ACTIONS = ["block", "unblock", "cancel", "retry", "follow"] as const;

function areStatuses(text: string): boolean {
  return text.split(",").every((word) => TASK_STATUSES.some((status) => status === word));
}

export const tasks = defineCommand({
  name: "tasks",
  summary: {
    en: "list the tasks, show one, or block, unblock, cancel, retry or follow it",
    ja: "タスクの一覧。1 件の表示、ブロック、解除、中止、再実行、追跡もできます",
  },
  examples: [
    "kuromajutsu tasks",
    "kuromajutsu tasks --status in_progress,failed",
    "kuromajutsu tasks --json",
    "kuromajutsu tasks task-… follow",
    'kuromajutsu tasks task-… block --reason "…"',
  ],
  arguments: {
    id: optionalArgument({
      en: "a task; without it all tasks are listed",
      ja: "タスクの ID。省略すると一覧を表示します",
    }),
    action: optionalChoice(ACTIONS, {
      en: `${ACTIONS.join(", ")}; without it the task is shown`,
      ja: `${ACTIONS.join("、")} のいずれか。省略するとタスクを表示します`,
    }),
  },
  options: {
    status: checkedOption(z.string().refine(areStatuses), {
      placeholder: "S",
      text: {
        en: "list only these, such as blocked or in_progress,failed",
        ja: "一覧を絞り込みます（例: blocked、in_progress,failed）",
      },
      expected: {
        en: `one or several of ${TASK_STATUSES.join(", ")}, separated by commas`,
        ja: `${TASK_STATUSES.join(", ")} の 1 つ以上（コンマ区切り）`,
      },
    }),
    reason: option("TEXT", { en: "why", ja: "理由" }),
    yes: flag(
      {
        en: "do not ask before agents are stopped",
        ja: "エージェントを停止する前に確認しません",
      },
      { short: "y" },
    ),
    ...JSON_OPTION,
    ...CONFIG_OPTION,
  },
  async run(cli, { id, action }, { status, reason, yes, json }) {
    const { withSession } = await import("../terminal/session.ts");
    const { actOnTask, listTasks, showTask } = await import("../terminal/task-commands.ts");
    return withSession(cli, { approvesAll: yes }, (session) => {
      if (id === undefined) return listTasks(session, { status, json });
      return action === undefined
        ? showTask(session, id, json)
        : actOnTask(session, id, { action, reason });
    });
  },
});
