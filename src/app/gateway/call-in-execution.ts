import { canonicalJson } from "../../domain/text/canonical.ts";
import { findLostCall } from "../approvals/outcome-approval.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { authorizeCall } from "./authorize-call.ts";
import {
  findDoneBefore,
  findSharedCall,
  findLastAnswered,
  findUnderWay,
  replayOf,
} from "./find-earlier-answer.ts";
import {
  tookEffect,
  type Attempt,
  type CallRules,
  type CallVerdict,
  type GatewayCall,
} from "./gateway-call.ts";
import { repeatOf } from "./note-delivery.ts";
import { recordAnswer } from "./record-answer.ts";
import { recordCallIntent, useApproval } from "./record-call-intent.ts";
import { settleUnrecorded } from "./settle-unrecorded.ts";

/** The approved process decides whether a call is sent. */
export const IN_EXECUTION: CallRules = {
  canPark: true,
  settleUnrecorded,
  authorize,
  getCall: (queries, id) => queries.getToolCall(id),
  record: recordAnswer,
  listForwarded: (queries) => queries.listForwardedToolCalls(),
  async take(unit, id, sentBy) {
    const call = await unit.getToolCall(id);
    if (call) await unit.updateToolCall({ ...call, sentBy, handedTo: null }, call);
  },
  findLost: findLostCall,
  markDelivery: (unit, id, delivery) => unit.markToolCallDelivery(id, delivery),
};

async function authorize(
  core: Core,
  unit: UnitOfWork,
  { agentId, tool, args }: GatewayCall,
  attempt: Attempt,
): Promise<CallVerdict> {
  const { id, waitedFor } = attempt;
  const ref = { server: tool.server, tool: tool.name };
  const isCheckDemanded = tool.humanCheck === "always";
  const wanted = { agentId, ref, args, isReadOnly: tool.isReadOnly, isCheckDemanded };
  const shared = waitedFor && (await findSharedCall(unit, waitedFor));
  if (shared) return { kind: "shared", call: shared };
  const twin = await findUnderWay(core, unit, wanted, canonicalJson(args));
  if (twin) return { kind: "shared", call: twin };
  const last = await findLastAnswered(core, unit, wanted, canonicalJson(args));
  const repeat = last && repeatOf(core, last, attempt, replayOf);
  if (repeat) {
    await requireNotStopped(unit, agentId);
    return repeat;
  }
  const before = await findDoneBefore(unit, wanted, canonicalJson(args));
  if (before) {
    await requireNotStopped(unit, agentId);
    return { kind: "answer", answer: replayOf(before) };
  }
  const authorized = await authorizeCall(core, unit, wanted);
  switch (authorized.kind) {
    case "wait":
      return authorized;
    case "took_effect":
      await useApproval(unit, authorized.approval, core.clock.now());
      return { kind: "answer", answer: tookEffect(authorized.approval.decidedBy) };
    case "pass": {
      const intent = { id, wanted, server: tool.server, agentId };
      return { kind: "send", ...(await recordCallIntent(core, unit, authorized, intent)) };
    }
  }
}
