export const INTERNAL_ROLES = ["task-analyst", "planner", "process-designer", "executor"] as const;
export type InternalRole = (typeof INTERNAL_ROLES)[number];
