export type MagenticTask = {
  readonly task: string;
  readonly completionCriteria: string;
  readonly scope: string;
  readonly constraints: string | null;
  readonly context: string | null;
  readonly availableRoles: readonly string[];
  readonly maxIterations: number;
};

/** What the orchestrator is asked to do (seed 2.2.10); its role's own prompt says how it works. */
export function renderMagenticTask(task: MagenticTask): string {
  return [
    "【Magentic タスク】",
    "",
    `task: ${task.task}`,
    `completionCriteria: ${task.completionCriteria}`,
    `scope: ${task.scope}`,
    ...(task.constraints === null ? [] : [`constraints: ${task.constraints}`]),
    ...(task.context === null ? [] : [`context: ${task.context}`]),
    `availableRoles: ${task.availableRoles.join(", ")}`,
    `maxIterations: ${task.maxIterations}`,
  ].join("\n");
}
