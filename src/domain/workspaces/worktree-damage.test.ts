import { expect, test } from "vitest";
import { attentionText } from "./attention.ts";
import { damageNote, type WorktreeDamage } from "./worktree-damage.ts";

const ON_SERVER = { path: "/data/workspaces/wsp-01" };
const ON_WORKER = { path: "/w/wsp-01", worker: "build-1" };
const COPY = { en: "Copy what you need out of it, then clean it up.", ja: "片付けてください。" };
const AGAIN = { en: "start the agent again.", ja: "もう一度起動してください。" };
const UNLOCK = { en: "Unlock it with `git worktree unlock`;", ja: "`git worktree unlock` で" };

const STEPS: Readonly<Record<WorktreeDamage | "missing", typeof COPY>> = {
  missing: AGAIN,
  directory_gone: AGAIN,
  not_ours: UNLOCK,
  link_gone: COPY,
  link_elsewhere: COPY,
  entry_gone: COPY,
  head_unreadable: COPY,
};

const DAMAGES = [
  "missing",
  "directory_gone",
  "not_ours",
  "link_gone",
  "link_elsewhere",
  "entry_gone",
  "head_unreadable",
] as const satisfies readonly (WorktreeDamage | "missing")[];

test.each(DAMAGES)("the note about a worktree (%s) says where it is and what to do", (damage) => {
  const here = damageNote(damage, ON_SERVER);
  const there = damageNote(damage, ON_WORKER);

  for (const locale of ["en", "ja"] as const) {
    expect(here[locale]).toContain(ON_SERVER.path);
    expect(here[locale]).toContain(STEPS[damage][locale]);
    expect(there[locale]).toContain(ON_WORKER.path);
    expect(there[locale]).toContain(ON_WORKER.worker);
  }
});

test("a worktree that is locked, or whose directory can be put back, is not only to be cleaned up", () => {
  for (const damage of ["not_ours", "directory_gone"] as const) {
    expect(damageNote(damage, ON_SERVER).en).toContain("captured within the hour");
    expect(damageNote(damage, ON_SERVER).ja).toContain("1 時間以内に記録されます");
  }
  expect(damageNote("not_ours", ON_SERVER).en).not.toContain("clean it up");
});

test("a change that was not captured is said in whole sentences, also from the rows of an older version", () => {
  const damaged = {
    type: "damaged",
    reason: "The disk is full. Free space.",
    reasonJa: "ディスクがいっぱいです。空きを作ってください。",
  } as const;
  const older = { type: "damaged", reason: "its directory was deleted." } as const;

  expect(attentionText(damaged, "en")).toBe(
    "The change was not captured. The disk is full. Free space. Earlier versions are kept.",
  );
  expect(attentionText(damaged, "ja")).toBe(
    "変更を記録できませんでした。ディスクがいっぱいです。空きを作ってください。それまでの版は残っています。",
  );
  expect(attentionText(older, "en")).toContain("captured. Its directory was deleted. Earlier");
  expect(attentionText(older, "ja")).toBe(
    "変更を記録できませんでした。its directory was deleted. それまでの版は残っています。",
  );
});
