import { canonicalJson } from "../../domain/text/canonical.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { authorizeCallIn } from "./authorize-call.ts";
import {
  findDoneBeforeIn,
  findSharedIn,
  findUnderWayIn,
  findUndeliveredIn,
  replayOf,
} from "./find-earlier-answer.ts";
import {
  tookEffect,
  type Attempt,
  type CallRules,
  type CallVerdict,
  type GatewayCall,
} from "./gateway-call.ts";
import { recordAnswerIn } from "./record-answer.ts";
import { recordCallIntentIn, useIn } from "./record-call-intent.ts";
import { settleUnrecorded } from "./settle-unrecorded.ts";

/** The approved process decides whether a call is sent. */
export const IN_EXECUTION: CallRules = {
  canPark: true,
  settleUnrecorded,
  authorizeIn,
  getCall: (queries, id) => queries.getToolCall(id),
  recordIn: recordAnswerIn,
};

async function authorizeIn(
  core: Core,
  unit: UnitOfWork,
  { agentId, tool, args }: GatewayCall,
  { id, waitedFor }: Attempt,
): Promise<CallVerdict> {
  const ref = { server: tool.server, tool: tool.name };
  const isCheckDemanded = tool.humanCheck === "always";
  const wanted = { agentId, ref, args, isReadOnly: tool.isReadOnly, isCheckDemanded };
  const shared = waitedFor && (await findSharedIn(unit, waitedFor));
  if (shared) return { kind: "shared", call: shared };
  const twin = await findUnderWayIn(core, unit, wanted, canonicalJson(args));
  if (twin) return { kind: "shared", call: twin };
  const undelivered = await findUndeliveredIn(core, unit, wanted, canonicalJson(args));
  if (undelivered) {
    await requireNotStopped(unit, agentId);
    return { kind: "answer", answer: replayOf(undelivered), isRedelivered: true };
  }
  const before = await findDoneBeforeIn(unit, wanted, canonicalJson(args));
  if (before) {
    await requireNotStopped(unit, agentId);
    return { kind: "answer", answer: replayOf(before) };
  }
  const authorized = await authorizeCallIn(core, unit, wanted);
  switch (authorized.kind) {
    case "wait":
      return authorized;
    case "took_effect":
      await useIn(unit, authorized.approval, core.clock.now());
      return { kind: "answer", answer: tookEffect(authorized.approval.decidedBy) };
    case "pass": {
      const intent = { id, wanted, server: tool.server, agentId };
      return { kind: "send", ...(await recordCallIntentIn(core, unit, authorized, intent)) };
    }
  }
}
