import { expect, test } from "vitest";
import { aPerson, ask, audited } from "../../../test/kit/approvals.ts";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import { Refusal } from "../../domain/refusal.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { LOCAL_USER } from "../core.ts";
import { auditOmitted } from "./audit-limit.ts";
import { auditRefusals } from "./audit-refusals.ts";

async function refuse(core: TestCore, subject: string, code: "NOT_ALLOWED" | "PERSON_NEEDED") {
  const ids = subject.split("/").slice(3);
  const attempt = { identity: LOCAL_USER, subject, ids, action: "request.refused", data: {} };
  const refused = auditRefusals(core, attempt, async () => {
    throw new Refusal(code, {
      en: ["No.", "Do something else."],
      ja: ["No.", "Do something else."],
    });
  });
  await expect(refused).rejects.toThrow("No.");
}

test("the same refusal again and again is written three times a minute, then counted", async () => {
  const core = await aCore();
  for (let n = 0; n < 2_000; n++) await refuse(core, "/api/roles", "NOT_ALLOWED");

  expect(await audited(core)).toHaveLength(3);
  core.advance(60_000);
  await auditOmitted(core, "over");
  await auditOmitted(core, "over");

  const entries = await audited(core);
  expect(entries).toHaveLength(4);
  expect(entries.at(-1)).toMatchObject({
    actor: "local",
    action: "request.refused",
    subject: "/api/roles",
    data: { code: "NOT_ALLOWED", repeated: 1_997, subjects: ["/api/roles"] },
  });
});

test("refusals of ever new subjects are bounded too, and the summary names the first ones", async () => {
  const core = await aCore();
  for (let n = 0; n < 500; n++) await refuse(core, `/api/roles/${n}`, "NOT_ALLOWED");

  expect(await audited(core)).toHaveLength(20);
  await auditOmitted(core, "all");

  const last = (await audited(core)).at(-1);
  expect(last).toMatchObject({ subject: "20 or more", data: { repeated: 480 } });
  expect(JSON.stringify(last)).toContain("/api/roles/20");
});

test("another code is counted apart, and a new minute begins anew without losing the count", async () => {
  const core = await aCore();
  for (let n = 0; n < 5; n++) await refuse(core, "/api/roles", "NOT_ALLOWED");
  for (let n = 0; n < 5; n++) await refuse(core, "/api/roles", "PERSON_NEEDED");
  expect(await audited(core)).toHaveLength(6);

  core.advance(60_000);
  await refuse(core, "/api/roles", "NOT_ALLOWED");
  expect(await audited(core)).toHaveLength(7);
  await auditOmitted(core, "over");

  const repeated = (await audited(core)).flatMap(({ data }) => data["repeated"] ?? []);
  expect(repeated).toEqual([2, 2]);
});

test("invented ids do not hide an attempt at an approval that exists", async () => {
  const core = await aCore();
  const { id, version } = await ask(core);
  const vera = aPerson("vera", "viewer");
  const attempt = (approvalId: string) =>
    expect(
      decideApproval(core, vera, { approvalId, version, decision: "approve" }),
    ).rejects.toThrow("viewer");
  for (let n = 0; n < 40; n++) await attempt(`invented-${n}`);
  for (let n = 0; n < 40; n++) await attempt(id);

  const refused = (await audited(core)).filter(({ action }) => action === "approval.refused");
  expect(refused.filter(({ subject }) => subject === id)).toHaveLength(1);
  expect(refused).toHaveLength(21);
});

test("invented ids do not hide an attempt at a place that has no id", async () => {
  const core = await aCore();
  for (let n = 0; n < 40; n++) await refuse(core, `/api/roles/${n}`, "NOT_ALLOWED");
  await refuse(core, "/api/roles", "NOT_ALLOWED");

  expect((await audited(core)).at(-1)).toMatchObject({ subject: "/api/roles" });
});
