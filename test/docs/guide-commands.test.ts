import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/contract/config/schema.ts";
import {
  aChange,
  anotherAgent,
  anotherFolder,
  anotherReader,
  aReader,
  aSchedule,
  aWorktree,
  commandShapesIn,
  commandsIn,
  completedTask,
  failedTask,
  failuresOf,
  folder,
  mistakesIn,
  nextApproval,
  pendingApproval,
  pendingOutcome,
  pendingQuestion,
  type Reader,
  runningAgent,
  runningGroup,
  runningTask,
  shapeOf,
  type Treatments,
} from "../kit/doc-commands.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { LONG_MS } from "../kit/task-person.ts";

const FULL_SCREEN = { notRun: "It fills the terminal until a person quits." };
const FOREGROUND = { notRun: "It stays in the foreground: test/e2e/serve-terminal.test.ts." };
const STORY = { notRun: "It plays a story: test/e2e/demo.test.ts." };
const SYSTEMD = { notRun: "It changes systemd or launchd: test/e2e/service.test.ts has fakes." };
const NEEDS_SLACK = {
  notRun: "It needs a workspace: test/e2e/slack-setup.test.ts has a fake Slack.",
};
const NEEDS_POSTGRES = {
  notRun: "It needs PostgreSQL, and the pages have SQLite: test/postgres/workers, move.test.ts.",
};
/** The folders of the pages have no configuration file: test/e2e/trust.test.ts. */
const NO_FILE = { exits: 1 };

const weekly = aSchedule("Write the weekly report");

/** Lines that need ids, a person, or that cannot be run here. Every other line is run as it is. */
const PAGES: Readonly<Record<string, Treatments>> = {
  "README.md": {
    kuromajutsu: FOREGROUND,
    'kuromajutsu run "Tidy up the docs"': { approvesAll: true },
    "kuromajutsu watch": FULL_SCREEN,
  },
  "docs/index.md": {
    kuromajutsu: FOREGROUND,
    "kuromajutsu demo": STORY,
  },
  "docs/recipes.md": {},
  "docs/tasks.md": {
    "kuromajutsu serve": FOREGROUND,
    "kuromajutsu tasks task-…": { fill: { "task-…": completedTask } },
    "kuromajutsu tasks task-… follow": { fill: { "task-…": completedTask } },
    'kuromajutsu tasks task-… block --reason "I want to check the figures"': {
      fill: { "task-…": runningTask },
    },
    "kuromajutsu tasks task-… unblock": { fill: { "task-…": runningTask } },
    "kuromajutsu tasks task-… retry": { fill: { "task-…": failedTask } },
    "kuromajutsu tasks task-… cancel": { fill: { "task-…": failedTask } },
    "kuromajutsu approvals apr-…": { fill: { "apr-…": pendingApproval } },
    "kuromajutsu approvals apr-… approve": { fill: { "apr-…": pendingApproval } },
    'kuromajutsu approvals apr-… reject --reason "only the sales department"': {
      fill: { "apr-…": nextApproval },
    },
    "kuromajutsu watch": FULL_SCREEN,
    "kuromajutsu approvals apr-… approve --answer repeat": { fill: { "apr-…": pendingOutcome } },
    'kuromajutsu approvals apr-… approve --answer "the sales department"': {
      fill: { "apr-…": pendingQuestion },
    },
  },
  "docs/isolation.md": {
    "kuromajutsu changes impl-code-…": { fill: { "impl-code-…": aChange("first") } },
    "kuromajutsu changes impl-code-… --patch": { fill: { "impl-code-…": aChange("first") } },
    'kuromajutsu changes impl-code-… --comment src/a.ts:12 "An empty list must not fail"': {
      fill: { "impl-code-…": aChange("first") },
    },
    "kuromajutsu changes impl-code-… --send-back": { fill: { "impl-code-…": aChange("first") } },
    "kuromajutsu merge impl-code-… --target main": { fill: { "impl-code-…": aChange("second") } },
    'kuromajutsu discard impl-code-… --reason "not needed"': {
      fill: { "impl-code-…": aChange("second") },
    },
  },
  "docs/terminal.md": {
    "kuromajutsu run --sample": {
      notRun: "It takes a minute and two decisions: test/terminal/sample.test.ts.",
    },
    // The daemon of the test is `serve`, which logs to its terminal.
    "kuromajutsu logs": { exits: 1 },
  },
  "docs/templates.md": {
    "kuromajutsu template save task-… --id greeting": { fill: { "task-…": completedTask } },
  },
  "docs/schedules.md": {
    "kuromajutsu schedule show sch-…": { fill: { "sch-…": weekly } },
    "kuromajutsu schedule pause sch-…": { fill: { "sch-…": weekly } },
    "kuromajutsu schedule resume sch-…": { fill: { "sch-…": weekly } },
    "kuromajutsu schedule run sch-…": { fill: { "sch-…": weekly } },
    "kuromajutsu schedule remove sch-…": { fill: { "sch-…": weekly } },
  },
  "docs/clients.md": {},
  "docs/runners.md": {
    "kuromajutsu doctor": { exits: 1 },
    "kuromajutsu doctor --runner claude codex": { exits: 1 },
  },
  "docs/rehearsal.md": {},
  "docs/operations.md": {
    "kuromajutsu restore kuro-2026-11-17.backup --to /srv/restored": { fill: { "/srv": folder } },
    "kuromajutsu backup /var/backups/kuro-$(date +\\%F).backup": {
      fill: { "/var/backups": anotherFolder },
    },
    "kuromajutsu service install": SYSTEMD,
    "kuromajutsu service status": SYSTEMD,
    "kuromajutsu service uninstall": SYSTEMD,
  },
  "docs/alerts.md": {
    // There are no rules, so there is no target: test/e2e/alerts.test.ts.
    "kuromajutsu alerts test": { exits: 1 },
  },
  "docs/configuration.md": {
    "kuromajutsu trust": NO_FILE,
    "kuromajutsu trust --revoke": NO_FILE,
  },
  "docs/people.md": {},
  "docs/commands.md": {
    "kuromajutsu demo coding --terminal": STORY,
    "kuromajutsu serve --port 9700": FOREGROUND,
    "kuromajutsu agents impl-code-…": { fill: { "impl-code-…": runningAgent } },
    "kuromajutsu agents impl-code-… stop": { fill: { "impl-code-…": runningAgent } },
    'kuromajutsu agents impl-code-… message "…"': { fill: { "impl-code-…": anotherAgent } },
    "kuromajutsu groups grp-…": { fill: { "grp-…": runningGroup } },
    "kuromajutsu groups grp-… stop": { fill: { "grp-…": runningGroup } },
    "kuromajutsu changes --group grp-… --json": { fill: { "grp-…": runningGroup } },
    "kuromajutsu changes impl-code-… --patch src/a.ts": { fill: { "impl-code-…": aChange("c") } },
    'kuromajutsu changes impl-code-… --send-back "…"': { fill: { "impl-code-…": aChange("c") } },
    "kuromajutsu merge impl-code-…": { fill: { "impl-code-…": aChange("d") } },
    "kuromajutsu merge impl-code-… --target main --mode squash": {
      fill: { "impl-code-…": aChange("e") },
    },
    'kuromajutsu merge wsp-… --message "…" --into-checkout': { fill: { "wsp-…": aWorktree("f") } },
    "kuromajutsu discard impl-code-…": { fill: { "impl-code-…": aChange("d") } },
    'kuromajutsu discard wsp-… --reason "…"': { fill: { "wsp-…": aWorktree("e") } },
    "kuromajutsu workspaces --retire wsp-…": { fill: { "wsp-…": aWorktree("f") } },
    "kuromajutsu logs --follow": { notRun: "It follows the log until a person quits." },
    "kuromajutsu logs impl-code-… --follow": { fill: { "impl-code-…": runningAgent } },
    "kuromajutsu logs impl-code-… --lines 20": { fill: { "impl-code-…": runningAgent } },
    "kuromajutsu template use weekly-report": {
      notRun: "It asks a person for the values: docs/templates.md gives them with --set.",
    },
    "kuromajutsu template save task-…": { fill: { "task-…": completedTask } },
    "kuromajutsu template save task-… --id overtime": { fill: { "task-…": completedTask } },
    // With SQLite templates are files: test/postgres/servers/templates.test.ts.
    "kuromajutsu template remove overtime": { exits: 1 },
    "kuromajutsu backup --force /var/backups/kuro": { fill: { "/var/backups": folder } },
    "kuromajutsu restore kuromajutsu.backup": {
      notRun: "Its daemon must not run: test/e2e/backup.test.ts.",
    },
    "kuromajutsu restore kuromajutsu.backup --to /srv/kuromajutsu": { fill: { "/srv": folder } },
    "kuromajutsu trust PATH --revoke": { fill: { PATH: folder } },
    "kuromajutsu doctor --json": { exits: 1 },
    "kuromajutsu alerts test --to webhook:ops": { exits: 1 },
    "kuromajutsu audit anchor": { notRun: "Its daemon must not run: test/e2e/people.test.ts." },
    "kuromajutsu slack install-link": NEEDS_SLACK,
    "kuromajutsu slack remove T0123ABCD": NEEDS_SLACK,
    "kuromajutsu slack doctor": NEEDS_SLACK,
    "kuromajutsu slack doctor --json": NEEDS_SLACK,
    "kuromajutsu migrate --from ~/.local/state/kuromajutsu/app": NEEDS_POSTGRES,
    "kuromajutsu worker --server https://kuro.example.com --token-file ~/worker-token --slots 8":
      NEEDS_POSTGRES,
    "kuromajutsu worker --server https://kuro.example.com --token-file ~/worker-token --label repo:app --label gpu":
      NEEDS_POSTGRES,
    "kuromajutsu worker --server https://a.example.com --server https://b.example.com --token-file ~/worker-token":
      NEEDS_POSTGRES,
    "kuromajutsu worker add build-1": NEEDS_POSTGRES,
    "kuromajutsu worker add build-1 --label repo:app > worker-token": NEEDS_POSTGRES,
    "kuromajutsu worker revoke build-1": NEEDS_POSTGRES,
    // With SQLite no job is given up: test/postgres/servers/jobs.test.ts.
    "kuromajutsu jobs retry 1f0c88e2": { exits: 1 },
  },
};

/**
 * `npm test` checks that the commands and options of these pages exist; `npm run test:faults` also
 * runs them. The reference repeats the commands of the guides with more options, and the others run
 * many agents with commands that have end-to-end tests of their own.
 */
const LONG_PAGES = [
  "docs/commands.md",
  "docs/isolation.md",
  "docs/rehearsal.md",
  "docs/schedules.md",
  "docs/templates.md",
  "docs/terminal.md",
];
const RUN_PAGES = Object.keys(PAGES).filter((page) => HAS_ALL_ROUNDS || !LONG_PAGES.includes(page));

/** Lines mostly wait for agents, so more pages than cores are read at once. */
const AT_ONCE = 4;
/** Sign-in is for the whole daemon, so these lines have one of their own. */
const SIGNS_IN = /^kuromajutsu user /;
/** The daemon that the pages share is stopped at the end. The command in between starts the next one. */
const STOPS = ["kuromajutsu stop", "kuromajutsu tasks", "kuromajutsu stop --stop-agents"];

const isShared = (line: string) => !SIGNS_IN.test(line) && !line.startsWith("kuromajutsu stop");

/** The lines of a page that no page before it has, texts in quotes apart: equal lines are run once. */
function linesOf(page: string): readonly string[] {
  const before = new Set(RUN_PAGES.slice(0, RUN_PAGES.indexOf(page)).flatMap(commandShapesIn));
  return commandsIn(page).filter((line) => !before.has(shapeOf(line)));
}

async function failuresIn(page: string, reader: Reader, isOurs: (line: string) => boolean) {
  const lines = linesOf(page).filter(isOurs);
  const failures = await failuresOf(reader, lines, PAGES[page] ?? {});
  return failures.map((failure) => `${page}: ${failure}`);
}

test(
  "every command of the pages works, with one daemon and a home directory for each page",
  { timeout: LONG_MS },
  async () => {
    const { story } = await aReader({ agent: { runner: "rehearsal", maxConcurrent: 30 } });

    const failures: string[] = [];
    const pages = [...RUN_PAGES];
    const readPages = async () => {
      for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
        failures.push(...(await failuresIn(page, anotherReader(story), isShared)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readPages));
    expect(failures).toEqual([]);

    expect(await failuresOf(anotherReader(story), STOPS, {})).toEqual([]);
  },
);

test(
  "every command of the pages that adds or removes people works",
  { timeout: LONG_MS },
  async () => {
    const reader = await aReader();

    const failures: string[] = [];
    for (const page of RUN_PAGES) {
      failures.push(...(await failuresIn(page, reader, (line) => SIGNS_IN.test(line))));
    }

    expect(failures).toEqual([]);
  },
);

test("every command of the pages that take long exists, with its options", async () => {
  const mistakes = await Promise.all(LONG_PAGES.flatMap(commandsIn).map(mistakesIn));

  expect(mistakes.filter(Boolean)).toEqual([]);
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
