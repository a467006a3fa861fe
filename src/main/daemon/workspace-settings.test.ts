import { expect, test } from "vitest";
import { configErrorOf, loadText } from "../../../test/kit/config-file.ts";
import { configSchema } from "../../contract/config/schema.ts";
import { workspaceSettingsOf } from "./workspace-settings.ts";

const PLACES = { home: "/project", dataDir: "/state/data" };

function settingsOf(workspace: unknown) {
  return workspaceSettingsOf(configSchema.parse({ workspace }).workspace, PLACES);
}

test("without settings worktrees are in the data directory and nothing is run", () => {
  expect(settingsOf({})).toEqual({
    isolation: "auto",
    root: "/state/data/workspaces",
    base: "head",
    copy: [],
    setup: null,
    setupTimeoutMs: 600_000,
    check: null,
    checkTimeoutMs: 1_800_000,
    mergeMode: "squash",
    mergeTarget: null,
    maxTotalBytes: 20_480 * 1_048_576,
    maxFileBytes: 10 * 1_048_576,
    maxNewFiles: 2_000,
    keepDecidedMs: 3_600_000,
    keepOpenMs: 14 * 86_400_000,
    keepRefsMs: 90 * 86_400_000,
    ports: { from: 20_000, to: 20_999, perAgent: 10 },
  });
});

test("a relative root starts at the configuration file, and 0 lifts the limit of the disk", () => {
  expect(settingsOf({ root: "../trees", maxTotal_mb: 0 })).toMatchObject({
    root: "/trees",
    maxTotalBytes: null,
  });
});

test.each([
  ["copy: [/etc/passwd]", "expected a glob below the repository"],
  ["copy: [a/../../b]", "expected a glob below the repository"],
  ["copy: ['..']", "expected a glob below the repository"],
  ["copy: [':(top)x']", "expected a glob below the repository"],
  ["setup: ''", "expected a command line for `sh -c`"],
  ["setup: [npm, ci]", "expected a command line for `sh -c`"],
  ["isolation: worktre", 'did you mean "worktree"?'],
  ["merge: {target: refs/heads/main}", "expected the name of a branch, without `refs/heads/`"],
  ["merge: {target: -f}", "expected the name of a branch"],
  ["merge: {target: a..b}", "expected the name of a branch"],
  ["merge: {target: a.lock}", "expected the name of a branch"],
  ["merge: {target: a/}", "expected the name of a branch"],
  ["maxFile_mb: 0", "expected a whole number from 1"],
  ["ports: {from: 80}", "expected a whole number from 1024 to 65535"],
  ["ports: {from: 30000}", "from (30000) is larger than to (20999)"],
  ["ports: {from: 20000, to: 20004}", "are 5 ports, fewer than perAgent (10)"],
])("workspace with %s is refused with a sentence", async (line, problem) => {
  expect(await configErrorOf(loadText(`workspace:\n  ${line}\n`))).toContain(problem);
});

test.each([["main"], ["feature/日本語"], ["release-1.2"], ["a"]])(
  "%s is the name of a branch",
  (target) => {
    expect(settingsOf({ merge: { target } }).mergeTarget).toBe(target);
  },
);

test.each([[".env"], [".env*"], ["packages/*/.env.local"], ["**/node_modules"], ["a..b"]])(
  "%s is a glob",
  (glob) => {
    expect(settingsOf({ copy: [glob] }).copy).toEqual([glob]);
  },
);

test("an internal role with worktrees is refused, because it would not get one", async () => {
  const text = "roles:\n  - id: executor\n    isolation: worktree\n";

  expect(await configErrorOf(loadText(text))).toContain(
    'agents of "executor" work on tasks and never have worktrees of their own; remove this line',
  );
});
