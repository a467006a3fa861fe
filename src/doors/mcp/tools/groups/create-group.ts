import { z } from "zod";
import { createGroup as create } from "../../../../app/groups/create-group.ts";
import { localeOf } from "../../../../app/locale-of.ts";
import { shortRehearsalNote } from "../../../../app/roles/rehearsal-only.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { GROUP_MODES } from "../../../../domain/groups/group.ts";
import { defineTool } from "../../define-tool.ts";

export const createGroup = defineTool({
  name: "create_group",
  description: "Create a group first: every agent belongs to one.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    description: z.string().trim().min(1).max(2_000).describe("Its purpose in one line"),
    mode: z
      .enum(["concurrent", "sequential"])
      .default("concurrent")
      .describe("concurrent: run_agents; sequential: run_sequential"),
    parentGroupId: z.string().optional().describe("Group it works for"),
  }),
  output: z.object({
    groupId: z.string(),
    description: z.string(),
    mode: z.enum(GROUP_MODES),
    createdAt: z.string(),
    status: z.string(),
    parentGroupId: z.string().optional(),
    note: z.string().optional(),
  }),
  async run({ core, identity }, { description, mode, parentGroupId }) {
    const group = await create(core, identity, {
      description,
      mode,
      parentGroupId: parentGroupId ?? null,
    });
    const note = await shortRehearsalNote(core, localeOf(core, identity));
    return {
      groupId: group.id,
      description: group.description,
      mode: group.mode,
      createdAt: iso(group.createdAt),
      status: group.status,
      ...(group.parentGroupId === null ? {} : { parentGroupId: group.parentGroupId }),
      ...(note && { note }),
    };
  },
});
