import { cancelMerge } from "../../../../app/merges/cancel-merge.ts";
import { discardChange } from "../../../../app/merges/discard-change.ts";
import { listMerges } from "../../../../app/merges/list-merges.ts";
import { openPullRequest } from "../../../../app/merges/open-pull-request.ts";
import { requestMerge } from "../../../../app/merges/request-merge.ts";
import { requireMerge } from "../../../../app/merges/require-merge.ts";
import { retryMerge } from "../../../../app/merges/retry-merge.ts";
import { undoMerge } from "../../../../app/merges/undo-merge.ts";
import * as changes from "../../../../contract/routes/changes.ts";
import * as contract from "../../../../contract/routes/merges.ts";
import { wireMerge } from "../../../../contract/shapes/merges.ts";
import { wireWorkspace } from "../../../../contract/shapes/workspaces.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.listMerges, {
  async run(core, { query }) {
    const { groupId, taskId, status, limit, cursor } = query;
    const page = await listMerges(core, {
      limit,
      ...(groupId && { groupId }),
      ...(taskId && { taskId }),
      ...(status && { statuses: [status] }),
      ...(cursor && { cursor }),
    });
    return { merges: page.merges.map(wireMerge), nextCursor: page.nextCursor };
  },
});

const get = defineRoute(contract.getMerge, {
  async run(core, { params }) {
    const merge = await requireMerge(core.store, params.id);
    const { check } = core.settings.workspace;
    return { ...wireMerge(merge), checkOutput: merge.checkOutput, checkCommand: check };
  },
});

const request = defineRoute(changes.requestMerge, {
  async run(core, { params, body }, identity) {
    const { version, target, mode, message, intoCheckout } = body;
    const merge = await requestMerge(core, identity, {
      id: params.id,
      version,
      intoCheckout,
      ...(target !== undefined && { target }),
      ...(mode && { mode }),
      ...(message !== undefined && { message }),
    });
    return wireMerge(merge);
  },
});

const retry = defineRoute(contract.retryMerge, {
  async run(core, { params, body }, identity) {
    const { intoCheckout } = body;
    const into = intoCheckout === undefined ? {} : { intoCheckout };
    return wireMerge(await retryMerge(core, identity, { id: params.id, ...into }));
  },
});

const cancel = defineRoute(contract.cancelMerge, {
  async run(core, { params }, identity) {
    return wireMerge(await cancelMerge(core, identity, params.id));
  },
});

const undo = defineRoute(contract.undoMerge, {
  async run(core, { params }, identity) {
    return wireMerge(await undoMerge(core, identity, params.id));
  },
});

const discard = defineRoute(changes.discardChange, {
  async run(core, { params, body }, identity) {
    const reason = body.reason ? { reason: body.reason } : {};
    return wireWorkspace(await discardChange(core, identity, { id: params.id, ...reason }));
  },
});

const pullRequest = defineRoute(changes.openPullRequest, {
  async run(core, { params, body }, identity) {
    const { version, title, body: text, target } = body;
    return openPullRequest(core, identity, {
      id: params.id,
      version,
      ...(title !== undefined && { title }),
      ...(text !== undefined && { body: text }),
      ...(target !== undefined && { target }),
    });
  },
});

export const MERGE_ROUTES: readonly Route[] = [
  list,
  get,
  request,
  retry,
  cancel,
  undo,
  discard,
  pullRequest,
];
