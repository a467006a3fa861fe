export type MagenticTask = {
  readonly task: string;
  readonly completionCriteria: string;
  readonly scope: string;
  readonly constraints: string | null;
  readonly context: string | null;
  readonly availableRoles: readonly string[];
  readonly maxIterations: number;
};

/**
 * The orchestrator's task: the fields of run_magentic in docs/spec.md. The prompt of its role says
 * how it works.
 */
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
