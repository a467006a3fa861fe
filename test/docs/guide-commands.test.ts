import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/contract/config/schema.ts";
import {
  aReader,
  aSchedule,
  blockedTask,
  commandShapesIn,
  commandsIn,
  completedTask,
  failedTask,
  failuresOf,
  mistakesIn,
  pendingApproval,
  pendingOutcome,
  pendingQuestion,
  runningTask,
  type Treatments,
  waitingTask,
} from "../kit/doc-commands.ts";
import { LONG_MS } from "../kit/task-person.ts";

const FULL_SCREEN = { notRun: "It fills the terminal until a person quits." };
const FOREGROUND = { notRun: "It stays in the foreground: test/e2e/serve-terminal.test.ts." };

/** Lines that need ids, a person, or that cannot be run here. Every other line is run as it is. */
const PAGES: Readonly<Record<string, Treatments>> = {
  "README.md": {
    kuromajutsu: FOREGROUND,
    'kuromajutsu run "Tidy up the docs"': { approvesAll: true },
    "kuromajutsu watch": FULL_SCREEN,
  },
  "docs/index.md": {
    kuromajutsu: FOREGROUND,
    "kuromajutsu demo": { notRun: "It plays a story: test/e2e/demo.test.ts." },
  },
  "docs/recipes.md": {},
  "docs/tasks.md": {
    "kuromajutsu serve": FOREGROUND,
    "kuromajutsu tasks task-…": { fill: { "task-…": completedTask } },
    "kuromajutsu tasks task-… follow": { fill: { "task-…": completedTask } },
    'kuromajutsu tasks task-… block --reason "I want to check the figures"': {
      fill: { "task-…": runningTask },
    },
    "kuromajutsu tasks task-… unblock": { fill: { "task-…": blockedTask } },
    "kuromajutsu tasks task-… retry": { fill: { "task-…": failedTask } },
    "kuromajutsu tasks task-… cancel": { fill: { "task-…": waitingTask } },
    "kuromajutsu approvals apr-…": { fill: { "apr-…": pendingApproval } },
    "kuromajutsu approvals apr-… approve": { fill: { "apr-…": pendingApproval } },
    'kuromajutsu approvals apr-… reject --reason "only the sales department"': {
      fill: { "apr-…": pendingApproval },
    },
    "kuromajutsu watch": FULL_SCREEN,
    "kuromajutsu approvals apr-… approve --answer repeat": { fill: { "apr-…": pendingOutcome } },
    'kuromajutsu approvals apr-… approve --answer "the sales department"': {
      fill: { "apr-…": pendingQuestion },
    },
  },
  "docs/terminal.md": {
    'kuromajutsu run "…"': { approvesAll: true },
    "kuromajutsu watch": FULL_SCREEN,
    // The daemon of the test is `serve`, which logs to its terminal.
    "kuromajutsu logs": { exits: 1 },
  },
  "docs/templates.md": {
    "kuromajutsu template save task-… --id greeting": { fill: { "task-…": completedTask } },
  },
  "docs/schedules.md": {
    "kuromajutsu schedule show sch-…": { fill: { "sch-…": aSchedule } },
    "kuromajutsu schedule pause sch-…": { fill: { "sch-…": aSchedule } },
    "kuromajutsu schedule resume sch-…": { fill: { "sch-…": aSchedule } },
    "kuromajutsu schedule run sch-…": { fill: { "sch-…": aSchedule } },
    "kuromajutsu schedule remove sch-…": { fill: { "sch-…": aSchedule } },
  },
  "docs/clients.md": {},
  "docs/runners.md": {
    "kuromajutsu doctor": { exits: 1 },
    "kuromajutsu doctor --runner claude codex": { exits: 1 },
  },
  "docs/rehearsal.md": {},
};

test.each(Object.keys(PAGES))("every command in %s works", { timeout: LONG_MS }, async (page) => {
  const lines = commandsIn(page);
  if (lines.length === 0) return;

  const failures = await failuresOf(await aReader(), lines, PAGES[page] ?? {});

  expect(failures).toEqual([]);
});

test("every line that is treated specially is still in its page", () => {
  const gone = Object.entries(PAGES).flatMap(([page, treatments]) => {
    const lines = commandsIn(page);
    return Object.keys(treatments).filter((line) => !lines.includes(line));
  });

  expect(gone).toEqual([]);
});

test.each(Object.keys(PAGES))("%s has the same commands in both languages", (page) => {
  const japanese = page.replace(/\.md$/, ".ja.md");
  if (!existsSync(japanese)) return;

  expect(commandShapesIn(japanese)).toEqual(commandShapesIn(page));
});

test.each(["docs/runners.md", "docs/rehearsal.md"])(
  "every configuration in %s is valid",
  (page) => {
    const blocks = [...readFileSync(page, "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, text = ""] of blocks) {
      expect(configSchema.safeParse(parse(text)).error).toBeUndefined();
    }
  },
);

test("a command line with an unknown command, option or argument is noticed", async () => {
  expect(await mistakesIn("kuromajutsu tasks --status blocked")).toBeUndefined();
  expect(await mistakesIn("kuromajutsu tusks")).toContain("tusks");
  expect(await mistakesIn("kuromajutsu tasks --stotus blocked")).toContain("--stotus");
  expect(await mistakesIn("kuromajutsu open here")).toContain("too many arguments");
});
