import { agentsOf } from "../../../../app/changes/view-change.ts";
import { requireWorkspace } from "../../../../app/workspaces/require-workspace.ts";
import { retireWorkspace } from "../../../../app/workspaces/retire-workspace.ts";
import * as contract from "../../../../contract/routes/workspaces.ts";
import { wireOverlap, wireWorkspace } from "../../../../contract/shapes/workspaces.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.listWorkspaces, {
  async run({ store, settings }, { query }) {
    const { groupId, taskId, status, outcome, limit, cursor } = query;
    const page = await store.listWorkspaces({
      limit,
      ...(groupId !== undefined && { groupId }),
      ...(taskId !== undefined && { taskId }),
      ...(status !== undefined && { statuses: [status] }),
      ...(outcome !== undefined && { outcomes: [outcome] }),
      ...(cursor !== undefined && { cursor }),
    });
    const present = await store.listPresentWorkspaces();
    return {
      workspaces: page.workspaces.map(wireWorkspace),
      openChanges: await store.countOpenChanges(),
      diskBytes: present.reduce((sum, { diskBytes }) => sum + (diskBytes ?? 0), 0),
      maxBytes: settings.workspace.maxTotalBytes,
      nextCursor: page.nextCursor,
    };
  },
});

const get = defineRoute(contract.getWorkspace, {
  async run({ store }, { params }) {
    return wireWorkspace(await requireWorkspace(store, params.id));
  },
});

const retire = defineRoute(contract.retireWorkspace, {
  async run(core, { params }, identity) {
    return wireWorkspace(await retireWorkspace(core, identity, params.id));
  },
});

const overlaps = defineRoute(contract.listOverlaps, {
  async run({ store }) {
    const found = await store.listOverlaps();
    const agents = await agentsOf(store, found);
    const agentOf = (id: string) => agents.get(id) ?? id;
    return { overlaps: found.map((each) => wireOverlap(each, each.a, agentOf)) };
  },
});

export const WORKSPACE_ROUTES: readonly Route[] = [list, get, retire, overlaps];
