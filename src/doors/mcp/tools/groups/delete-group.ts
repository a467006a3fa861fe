import { z } from "zod";
import { deleteGroup as remove } from "../../../../app/groups/delete-group.ts";
import { defineTool } from "../../define-tool.ts";

export const deleteGroup = defineTool({
  name: "delete_group",
  description: "Delete a group whose agents are all done. Their results stay in the history.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({ groupId: z.string() }),
  output: z.object({ deleted: z.boolean(), groupId: z.string() }),
  async run({ core, identity }, { groupId }) {
    const group = await remove(core, identity, { groupId });
    return { deleted: true, groupId: group.id };
  },
});
