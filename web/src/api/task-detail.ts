import type { AnswerOf } from "./http.ts";

export type TaskDetail = AnswerOf<"get", "/api/tasks/{id}">;
export type WirePrompt = TaskDetail["prompts"][number];
export type WireProcess = TaskDetail["processes"][number];
export type WireStep = WireProcess["steps"][number];
export type WireStepState = TaskDetail["executions"][number]["steps"][number];
export type WireToolCall = TaskDetail["toolCalls"][number];
export type WireNotification = TaskDetail["notifications"][number];
