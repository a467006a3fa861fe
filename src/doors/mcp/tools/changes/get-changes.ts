import { z } from "zod";
import { conflictsOf, listChanges } from "../../../../app/changes/list-changes.ts";
import { readChangedFile } from "../../../../app/changes/read-changed-file.ts";
import type { Core } from "../../../../app/core.ts";
import { truncate } from "../../../../base/truncate.ts";
import { attentionText } from "../../../../domain/workspaces/attention.ts";
import type { Workspace } from "../../../../domain/workspaces/workspace.ts";
import { defineTool } from "../../define-tool.ts";

/** Limits of one answer, because it fills the caller's context. */
const MAX_FILES = 100;
const MAX_FILES_TOGETHER = 300;
const MAX_PATCH_CHARS = 40_000;

/** Few members and no descriptions: every client carries the schema in its context. */
const summaryShape = z.object({
  agentId: z.string(),
  status: z.string(),
  branch: z.string(),
  base: z.string().optional(),
  files: z.number(),
  changedFiles: z.array(z.string()),
  conflictsWith: z.array(z.string()).optional(),
  attention: z.array(z.string()).optional(),
});

export const getChanges = defineTool({
  name: "get_changes",
  description:
    "What agents changed in their worktrees: a summary, or with agentId and path a patch.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({
    agentId: z.string().optional(),
    groupId: z.string().optional(),
    path: z.string().optional(),
    offset: z.int().nonnegative().optional().describe("Last nextOffset"),
  }),
  output: z.object({
    changes: z.array(summaryShape).optional(),
    patch: z.string().optional(),
    nextOffset: z.number().optional(),
  }),
  async run({ core, identity }, { agentId, groupId, path, offset = 0 }) {
    const workspaces = await listChanges(core, identity, { agentId, groupId });
    const [first] = workspaces;
    if (path !== undefined && first && agentId !== undefined) {
      return patchAnswer(core, first, path, offset);
    }
    const conflicts = await conflictsOf(core, workspaces);
    const perChange = Math.min(MAX_FILES, Math.ceil(MAX_FILES_TOGETHER / (workspaces.length || 1)));
    const changes = [];
    for (const workspace of workspaces) {
      changes.push(await summaryOf(core, workspace, conflicts.get(workspace.id) ?? [], perChange));
    }
    return { changes };
  },
});

async function patchAnswer(core: Core, { id }: Workspace, path: string, offset: number) {
  const { patch, reason } = await readChangedFile(core, id, path);
  if (patch === null) return { patch: NO_PATCH[reason ?? "binary"] };
  const part = patch.slice(offset, offset + MAX_PATCH_CHARS);
  const nextOffset = offset + part.length;
  return { patch: part, ...(nextOffset < patch.length && { nextOffset }) };
}

const NO_PATCH = {
  binary: "(a binary file)",
  too_long: "(too long to show; read the file on its branch)",
} as const;

async function summaryOf(
  core: Core,
  workspace: Workspace,
  conflictsWith: readonly string[],
  maxFiles: number,
): Promise<z.infer<typeof summaryShape>> {
  const attention = workspace.attention.map((each) => attentionText(each, "en"));
  return {
    agentId: workspace.agentId,
    // A decision of people says more than that the change is captured.
    status: workspace.outcome === "open" ? workspace.status : workspace.outcome,
    branch: workspace.branch,
    ...(workspace.base !== null && { base: workspace.base }),
    files: workspace.files,
    changedFiles: await filesOf(core, workspace, maxFiles),
    ...(conflictsWith.length > 0 && { conflictsWith: [...conflictsWith] }),
    ...(attention.length > 0 && { attention }),
  };
}

const MAX_PATH_CHARS = 300;

async function filesOf(core: Core, workspace: Workspace, maxFiles: number): Promise<string[]> {
  const { repository, base, head } = workspace;
  if (base === null || head === null) return [];
  const changes = await core.git.listChanges(repository, base, head);
  return changes.slice(0, maxFiles).map(({ status, path, added, removed }) => {
    const numbers = added === null ? "binary" : `+${added} -${removed ?? 0}`;
    return `${status} ${truncate(path, MAX_PATH_CHARS)} ${numbers}`;
  });
}
