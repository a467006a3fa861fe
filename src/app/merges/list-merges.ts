import type { WorkspaceId } from "../../domain/ids.ts";
import type { Merge, MergeStatus } from "../../domain/merges/merge.ts";
import type { Core } from "../core.ts";
import type { Queries } from "../ports/store.ts";
import type { MergePage, MergeQuery } from "../ports/workspace-store.ts";

const PAGE_LIMIT = 200;

export function listMerges(core: Core, query: MergeQuery): Promise<MergePage> {
  return core.store.listMerges(query);
}

/** Reads all pages: a missed merge would land although its change is gone. */
export async function listAllMerges(
  queries: Pick<Queries, "listMerges">,
  query: { readonly workspaceId?: WorkspaceId; readonly statuses?: readonly MergeStatus[] },
): Promise<readonly Merge[]> {
  const found: Merge[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const next = cursor === undefined ? {} : { cursor };
    const page = await queries.listMerges({ ...query, ...next, limit: PAGE_LIMIT });
    found.push(...page.merges);
    cursor = page.nextCursor;
  }
  return found;
}
