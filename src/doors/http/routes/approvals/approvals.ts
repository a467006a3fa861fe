import { decideApproval } from "../../../../app/approvals/decide-approval.ts";
import { extendApproval } from "../../../../app/approvals/extend-approval.ts";
import { listApprovals } from "../../../../app/approvals/list-approvals.ts";
import { requireApproval } from "../../../../app/approvals/require-approval.ts";
import * as contract from "../../../../contract/routes/approvals.ts";
import { wireApproval } from "../../../../contract/shapes/approvals.ts";
import { clipApproval } from "../../../../contract/shapes/clip-approval.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.listApprovals, {
  async run(core, { query }) {
    const page = await listApprovals(core, {
      limit: query.limit,
      ...(query.status && { statuses: [query.status] }),
      ...(query.kind && { kind: query.kind }),
      ...(query.taskId && { taskId: query.taskId }),
      ...(query.executionId && { executionId: query.executionId }),
      ...(query.agentId && { agentId: query.agentId }),
      ...(query.cursor && { cursor: query.cursor }),
    });
    return {
      approvals: page.approvals.map(wireApproval),
      pending: await core.store.countPendingApprovals(),
      nextCursor: page.nextCursor,
    };
  },
});

const get = defineRoute(contract.getApproval, {
  async run(core, { params, query }) {
    const approval = wireApproval(await requireApproval(core.store, params.id));
    return query.clip ? clipApproval(approval) : approval;
  },
});

const decide = defineRoute(contract.decideApproval, {
  async run(core, { params, body }, identity) {
    const { decision, version } = body;
    const decided = await decideApproval(core, identity, {
      approvalId: params.id,
      decision,
      version,
      ...(body.reason !== undefined && { reason: body.reason }),
      ...(body.answer !== undefined && { answer: body.answer }),
      ...(body.scope && { scope: body.scope }),
      ...(body.onReject && { onReject: body.onReject }),
    });
    return wireApproval(decided);
  },
});

const extend = defineRoute(contract.extendApproval, {
  async run(core, { params, body }, identity) {
    const extended = await extendApproval(core, identity, {
      approvalId: params.id,
      version: body.version,
      expiresAt: Date.parse(body.expiresAt),
    });
    return wireApproval(extended);
  },
});

export const APPROVAL_ROUTES: readonly Route[] = [list, get, decide, extend];
