import { expect, test } from "vitest";
import { anHttpDoor } from "../../../../../test/kit/http-door.ts";
import { aMergeCore, type AMergeCore } from "../../../../../test/kit/merges.ts";
import * as changes from "../../../../contract/routes/changes.ts";
import * as contract from "../../../../contract/routes/merges.ts";

async function aDoor(over: AMergeCore = {}) {
  const it = await aMergeCore(over);
  const { url } = await anHttpDoor(it.core);
  async function send(method: string, path: string, body?: unknown) {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "x-kuromajutsu": "1",
        "accept-language": "ja",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, answer: await response.json() };
  }
  return { ...it, send };
}

test("REST asks for a merge, an approval lands it, and REST undoes it", async () => {
  const it = await aDoor({ workspace: { check: "echo fine" } });
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });

  const asked = await it.send("POST", `changes/${change.agentId}/merge`, { version: 1 });
  expect(asked.status).toBe(201);
  const { mergeId, approvalId } = changes.requestMerge.answer.parse(asked.answer);
  const decision = { decision: "approve", version: 1 };
  expect((await it.send("POST", `approvals/${approvalId}/decision`, decision)).status).toBe(200);
  await it.settle();

  const { answer } = await it.send("GET", `merges/${mergeId}`);
  expect(contract.getMerge.answer.parse(answer)).toMatchObject({
    status: "landed",
    result: it.tip(),
    checkExit: 0,
    checkOutput: "fine",
    checkCommand: "echo fine",
  });
  const listed = await it.send("GET", "merges?status=landed");
  expect(contract.listMerges.answer.parse(listed.answer).merges).toHaveLength(1);
  const undone = await it.send("POST", `merges/${mergeId}/undo`);
  expect(contract.undoMerge.answer.parse(undone.answer).status).toBe("undone");
});

test("REST cancels and retries merges and discards changes", async () => {
  const it = await aDoor({ closed: true });
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const merge = await it.approved(change);

  const retried = await it.send("POST", `merges/${merge.id}/retry`, { intoCheckout: true });
  expect(retried.status).toBe(202);
  const cancelled = await it.send("POST", `merges/${merge.id}/cancel`);
  expect(contract.cancelMerge.answer.parse(cancelled.answer).status).toBe("cancelled");
  const discarded = await it.send("POST", `changes/${change.id}/discard`, { reason: "不要" });
  expect(changes.discardChange.answer.parse(discarded.answer).outcome).toBe("discarded");
});

test("refusals have a status and a sentence in the reader's language", async () => {
  const it = await aDoor();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });

  expect(await it.send("GET", "merges/mrg-none")).toMatchObject({
    status: 404,
    answer: { code: "MERGE_NOT_FOUND", detail: "取り込み mrg-none はありません。" },
  });
  expect(await it.send("POST", `changes/${change.id}/merge`, { version: 7 })).toMatchObject({
    status: 409,
    answer: { code: "VERSION_CONFLICT" },
  });
  expect(await it.send("POST", `changes/${change.id}/pull-request`, { version: 1 })).toMatchObject({
    status: 409,
    answer: { code: "MERGE_NOT_POSSIBLE" },
  });
});
