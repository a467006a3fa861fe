import type { WorkspaceChanges, WorkspaceQueries } from "../../../../app/ports/workspace-store.ts";
import { listWritersIn } from "../agents/agent-queues.ts";
import { deletePendingEnd, listCapturing, putPendingEnd } from "../agents/pending-ends.ts";
import {
  deleteComment,
  getComment,
  insertComment,
  listComments,
  updateComment,
} from "../changes/comments.ts";
import { getVersion, insertVersion, listVersions } from "../changes/versions.ts";
import { listMerges } from "../merges/list-merges.ts";
import { getMerge, insertMerge, listQueuedMerges, updateMerge } from "../merges/merges.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { listOverlaps, listOverlapsOf, putOverlaps } from "../workspaces/overlaps.ts";
import {
  countOpenChanges,
  deleteWorkspace,
  getWorkspace,
  getWorkspaces,
  insertWorkspace,
  listLeasedPorts,
  listOpenWorkspaces,
  listPresentWorkspaces,
  updateWorkspace,
} from "../workspaces/workspaces.ts";
import type { Run } from "./queries.ts";

export function createWorkspaceQueries(run: Run): WorkspaceQueries {
  return {
    getWorkspace: (id) => run((db) => getWorkspace(db, id)),
    getWorkspaces: (ids) => run((db) => getWorkspaces(db, ids)),
    listWorkspaces: (query) => run((db) => listWorkspaces(db, query)),
    listPresentWorkspaces: () => run(listPresentWorkspaces),
    listOpenWorkspaces: (repository) => run((db) => listOpenWorkspaces(db, repository)),
    listWritersIn: (tree) => run((db) => listWritersIn(db, tree)),
    listVersions: (id) => run((db) => listVersions(db, id)),
    getVersion: (id, version) => run((db) => getVersion(db, id, version)),
    listComments: (id) => run((db) => listComments(db, id)),
    getComment: (id) => run((db) => getComment(db, id)),
    listOverlapsOf: (ids) => run((db) => listOverlapsOf(db, ids)),
    listOverlaps: () => run(listOverlaps),
    getMerge: (id) => run((db) => getMerge(db, id)),
    listMerges: (query) => run((db) => listMerges(db, query)),
    listQueuedMerges: () => run(listQueuedMerges),
    listLeasedPorts: () => run(listLeasedPorts),
    listCapturing: () => run(listCapturing),
    countOpenChanges: () => run(countOpenChanges),
  };
}

export function createWorkspaceChanges(run: Run): WorkspaceChanges {
  return {
    insertWorkspace: (workspace) => run((db) => insertWorkspace(db, workspace)),
    updateWorkspace: (next, expected) => run((db) => updateWorkspace(db, next, expected)),
    deleteWorkspace: (id) => run((db) => deleteWorkspace(db, id)),
    insertVersion: (version) => run((db) => insertVersion(db, version)),
    insertComment: (comment) => run((db) => insertComment(db, comment)),
    updateComment: (next, expected) => run((db) => updateComment(db, next, expected)),
    deleteComment: (id) => run((db) => deleteComment(db, id)),
    putOverlaps: (id, overlaps) => run((db) => putOverlaps(db, id, overlaps)),
    insertMerge: (merge) => run((db) => insertMerge(db, merge)),
    updateMerge: (next, expected) => run((db) => updateMerge(db, next, expected)),
    putPendingEnd: (agentId, end) => run((db) => putPendingEnd(db, agentId, end)),
    deletePendingEnd: (agentId) => run((db) => deletePendingEnd(db, agentId)),
  };
}
