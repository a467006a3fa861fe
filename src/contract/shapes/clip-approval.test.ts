import { expect, test } from "vitest";
import { anApproval } from "../../../test/kit/builders.ts";
import { wireApproval } from "./approvals.ts";
import { clipApproval } from "./clip-approval.ts";

const MEGABYTES = 10 * 1_048_576;

test("clipApproval leaves an ordinary approval unchanged", () => {
  const approval = wireApproval(
    anApproval({ shown: { content: "方".repeat(15_000), request: "集計して", version: 3 } }),
  );

  expect(clipApproval(approval)).toBe(approval);
  expect(approval.clipped).toBeUndefined();
});

test("clipApproval truncates 10 MB, marks it as clipped and keeps what a decision needs", () => {
  const approval = wireApproval(
    anApproval({
      kind: "step",
      version: 4,
      shownHash: "f".repeat(64),
      shown: { tool: "write", args: { text: "文".repeat(MEGABYTES) }, step: { order: 2 } },
    }),
  );

  const clipped = clipApproval(approval);

  expect(clipped).toMatchObject({ clipped: true, version: 4, shownHash: "f".repeat(64) });
  expect(clipped.shown).toMatchObject({ tool: "write", step: { order: 2 } });
  expect(clipped.shown["args"]).toEqual({ text: `${"文".repeat(2_000)}…` });
  expect(Buffer.byteLength(JSON.stringify(clipped))).toBeLessThan(64 * 1024);
});

test("clipApproval truncates a long title", () => {
  const clipped = clipApproval(wireApproval(anApproval({ title: "題".repeat(MEGABYTES) })));

  expect(clipped.clipped).toBe(true);
  expect(clipped.title).toHaveLength(2_001);
});
