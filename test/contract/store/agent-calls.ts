import { expect, test } from "vitest";
import type { AgentCall, AgentCallHead, Delivery } from "../../../src/domain/gateway/tool-call.ts";
import { aGroup, anAgent, NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

function aCall(over: Partial<AgentCall> = {}): AgentCall {
  return {
    id: "call-1",
    agentId: anAgent().id,
    server: "hr",
    tool: "delete_rows",
    args: '{"id":1}',
    argsHash: "hash",
    status: "forwarded",
    approvalId: "apr-1",
    answer: null,
    error: null,
    startedAt: NOON,
    endedAt: null,
    version: 1,
    sentBy: null,
    delivery: null,
    handedTo: null,
    ...over,
  };
}

/** Lists leave out the arguments and the answer, which can be large. */
function headOf({ id, server, tool, argsHash, status, approvalId }: AgentCall): AgentCallHead {
  return { id, server, tool, argsHash, status, approvalId };
}

/** Checked calls of agents outside an execution. */
export function agentCalls(open: Open): void {
  test("a call of an agent without an execution is read as it was written, in order", async () => {
    const store = await open();
    const other = anAgent({ id: "impl-code-1794733200-0001" });
    const done = aCall({ id: "call-2", status: "done", answer: "{}", error: "x", endedAt: NOON });
    await store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      for (const agent of [anAgent(), other]) await unit.insertAgent(agent, "x");
      for (const call of [done, aCall(), aCall({ id: "call-3", agentId: other.id })]) {
        await unit.insertAgentCall(call);
      }
    });

    expect(await store.listAgentCalls(anAgent().id)).toEqual([headOf(done), headOf(aCall())]);
    expect(await store.getAgentCall("call-2")).toEqual(done);
    expect(await store.getAgentCall("call-1")).toEqual(aCall());
    expect(await store.getAgentCall("call-9")).toBeUndefined();
    expect((await store.listForwardedAgentCalls()).map(({ id }) => id)).toEqual([
      "call-1",
      "call-3",
    ]);
  });

  test("a call of an agent is updated only from its current version, and deleted with its agent", async () => {
    const store = await open();
    const past = anAgent({ process: "ended", status: "completed", endedAt: NOON });
    await store.transaction(async (unit) => {
      await unit.insertGroup(aGroup({ status: "deleted", deletedAt: NOON }));
      await unit.insertAgent(past, "x");
      await unit.insertAgentCall(aCall());
      await unit.updateAgentCall(aCall({ status: "done" }), aCall());
    });
    const again = store.transaction((unit) =>
      unit.updateAgentCall(aCall({ status: "failed" }), aCall()),
    );

    await expect(again).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await store.getAgentCall("call-1")).toMatchObject({ status: "done", version: 2 });
    await store.transaction(async (unit) => {
      await unit.shrinkView(0);
      await unit.purgeHistory(NOON + 1, 10);
    });
    expect(await store.getAgentCall("call-1")).toBeUndefined();
  });

  test("a delivered answer stays delivered, and one that was cut off can still be delivered", async () => {
    const store = await open();
    await store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      await unit.insertAgent(anAgent(), "x");
      await unit.insertAgentCall(aCall({ sentBy: "server-a" }));
    });
    const mark = async (delivery: Delivery) => {
      await store.transaction((unit) => unit.markAgentCallDelivery("call-1", delivery));
      return (await store.getAgentCall("call-1"))?.delivery;
    };

    expect(await store.getAgentCall("call-1")).toMatchObject({
      sentBy: "server-a",
      delivery: null,
      version: 1,
    });
    expect([await mark("cut"), await mark("delivered"), await mark("cut")]).toEqual([
      "cut",
      "delivered",
      "delivered",
    ]);
  });
}
