import { getAgent } from "../../../contract/routes/agents.ts";
import { listWorkspaces } from "../../../contract/routes/workspaces.ts";
import type { WireWorkspace } from "../../../contract/shapes/workspaces.ts";
import type { Api } from "./api.ts";
import type { Face } from "./session.ts";
import { suggestingIds } from "./suggest-id.ts";

type Wanted = {
  readonly groupId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly outcome?: "open" | undefined;
};

const PAGE = "500";

/** All pages, newest first, with the numbers of the answer. */
export async function readWorkspaces(api: Api, { groupId, taskId, outcome }: Wanted) {
  const query = {
    limit: PAGE,
    ...(groupId !== undefined && { groupId }),
    ...(taskId !== undefined && { taskId }),
    ...(outcome !== undefined && { outcome }),
  };
  const first = await api.call(listWorkspaces, { query });
  const workspaces: WireWorkspace[] = [...first.workspaces];
  let cursor = first.nextCursor;
  while (cursor !== null) {
    const page = await api.call(listWorkspaces, { query: { ...query, cursor } });
    workspaces.push(...page.workspaces);
    cursor = page.nextCursor;
  }
  return { ...first, workspaces, nextCursor: null };
}

/** Adds "did you mean" if neither an agent nor a workspace has the id. */
export function findingChange<Answer>(
  { api, texts }: Face,
  id: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const known = async () => {
    // The agent exists and shares a directory with others; another id would be no help.
    if (await exists(api, id)) return [];
    const { workspaces } = await readWorkspaces(api, {});
    return workspaces.flatMap(({ agentId, workspaceId }) => [agentId, workspaceId]);
  };
  return suggestingIds(texts.locale, { id, code: "WORKSPACE_NOT_FOUND", known }, work);
}

async function exists(api: Api, id: string): Promise<boolean> {
  return api.call(getAgent, { params: { id } }).then(
    () => true,
    () => false,
  );
}
