import { addComment } from "../../../../app/changes/add-comment.ts";
import { changeComment, deleteComment } from "../../../../app/changes/change-comment.ts";
import { readChangedFile } from "../../../../app/changes/read-changed-file.ts";
import { sendBack } from "../../../../app/changes/send-back.ts";
import { viewChange, type ChangeView } from "../../../../app/changes/view-change.ts";
import {
  readGroupChangedFile,
  viewGroupChange,
} from "../../../../app/changes/view-group-change.ts";
import type { Core } from "../../../../app/core.ts";
import { requireTask } from "../../../../app/tasks/require-task.ts";
import * as contract from "../../../../contract/routes/changes.ts";
import { wireComment, type WireChange } from "../../../../contract/shapes/changes.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { wireMerge } from "../../../../contract/shapes/merges.ts";
import { wireOverlap, wireWorkspace } from "../../../../contract/shapes/workspaces.ts";
import type { Workspace } from "../../../../domain/workspaces/workspace.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const getChange = defineRoute(contract.getChange, {
  async run(core, { params, query }) {
    return wireChange(await viewChange(core, params.id, query.version));
  },
});

function wireChange(view: ChangeView): WireChange {
  const { workspace, version, overlaps, agents, preview, pullRequestTool } = view;
  const agentOf = (id: string) => agents.get(id) ?? id;
  return {
    workspace: wireWorkspace(workspace),
    version: version?.version ?? 0,
    versions: view.versions.map((each) => ({
      version: each.version,
      agentId: each.agentId,
      commit: each.commit,
      files: each.files,
      added: each.added,
      removed: each.removed,
      at: iso(each.at),
    })),
    files: [...view.files],
    overlaps: overlaps.map((each) => wireOverlap(each, workspace.id, agentOf)),
    comments: view.comments.map(({ comment, currentLine }) => wireComment(comment, currentLine)),
    merges: view.merges.map(wireMerge),
    preview: preview && { ...preview, conflicts: [...preview.conflicts] },
    pullRequest: pullRequestTool && { tool: pullRequestTool },
  };
}

const getFile = defineRoute(contract.getChangedFile, {
  async run(core, { params, query }) {
    return readChangedFile(core, params.id, query.path, query.version);
  },
});

const getGroup = defineRoute(contract.getGroupChange, {
  async run(core, { params }) {
    const { changes, overlaps, agents, combined } = await viewGroupChange(core, params.id);
    const agentOf = (id: string) => agents.get(id) ?? id;
    return {
      groupId: params.id,
      changes: changes.map(wireWorkspace),
      overlaps: overlaps.map((each) => wireOverlap(each, each.a, agentOf)),
      combined: combined && {
        ...combined,
        files: [...combined.files],
        conflicts: [...combined.conflicts],
      },
    };
  },
});

const getGroupFile = defineRoute(contract.getGroupChangedFile, {
  run: (core, { params, query }) => readGroupChangedFile(core, params.id, query.path),
});

const MAX_CHANGES = 500;

const getTask = defineRoute(contract.getTaskChanges, {
  async run(core, { params }) {
    const task = await requireTask(core.store, params.id);
    const changes = await changesOfTask(core, task.id);
    return { taskId: task.id, changes: changes.map(wireWorkspace) };
  },
});

async function changesOfTask(core: Core, taskId: string): Promise<readonly Workspace[]> {
  const page = await core.store.listWorkspaces({ taskId, limit: MAX_CHANGES });
  return page.workspaces.toReversed();
}

const comment = defineRoute(contract.addComment, {
  async run(core, { params, body }, identity) {
    const added = await addComment(core, identity, { id: params.id, ...body });
    return wireComment(added, added.line);
  },
});

const edit = defineRoute(contract.changeComment, {
  async run(core, { params, body }, identity) {
    const changed = await changeComment(core, identity, { id: params.id, ...body });
    return wireComment(changed, changed.line);
  },
});

const remove = defineRoute(contract.deleteComment, {
  async run(core, { params }, identity) {
    await deleteComment(core, identity, params.id);
    return { commentId: params.id };
  },
});

const send = defineRoute(contract.sendBack, {
  async run(core, { params, body }, identity) {
    const { version, message } = body;
    return sendBack(core, identity, { id: params.id, version, message: message || null });
  },
});

export const CHANGE_ROUTES: readonly Route[] = [
  getChange,
  getFile,
  getGroup,
  getGroupFile,
  getTask,
  comment,
  edit,
  remove,
  send,
];
