import { z } from "zod";
import { localeOf } from "../../../../app/locale-of.ts";
import { shortRehearsalNote } from "../../../../app/roles/rehearsal-only.ts";
import { createTask as create } from "../../../../app/tasks/create-task.ts";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../../../domain/tasks/task.ts";
import { defineTool } from "../../define-tool.ts";

export const createTask = defineTool({
  name: "create_task",
  description:
    "Ask for work that people approve first: a prompt and steps are drafted, then agents carry it out. Returns at once; follow it with get_task.",
  callers: ["client"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    request: z.string().trim().min(1).max(20_000).describe("What is to be done, in any words"),
    workingDirectory: z.string().min(1).optional().describe("Default: your own"),
    priority: z.enum(TASK_PRIORITIES).optional().describe("Default: the analysis decides"),
  }),
  output: z.object({
    taskId: z.string(),
    status: z.enum(TASK_STATUSES),
    groupId: z.string(),
    note: z.string().optional(),
  }),
  // As POST /api/tasks calls it.
  otherNames: { text: "request" },
  async run({ core, identity }, { request, workingDirectory, priority }) {
    const task = await create(core, identity, {
      request,
      door: "mcp",
      ...(workingDirectory !== undefined && { workingDirectory }),
      ...(priority !== undefined && { priority }),
    });
    const note = await shortRehearsalNote(core, localeOf(core, identity));
    return {
      taskId: task.id,
      status: task.status,
      groupId: task.groupId,
      ...(note && { note }),
    };
  },
});
