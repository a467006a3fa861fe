import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { FileProblem, PlannedFile, Setup, SetupChoice } from "../../../app/ports/setup.ts";
import { createConsole, Interrupted } from "../terminal/console.ts";
import { INIT_TEXTS } from "./init-texts.ts";
import { initialize, type InitOptions } from "./run-init.ts";
import { changedLines } from "./show-file.ts";

const NEW: PlannedFile = {
  owner: "cursor",
  path: "/p/.cursor/mcp.json",
  kind: "create",
  before: undefined,
  after: "{\n}\n",
};
const CHANGED: PlannedFile = {
  owner: "claude",
  path: "/p/.mcp.json",
  kind: "change",
  before: "old\n",
  after: "new\n",
};
const SAME: PlannedFile = { owner: "kuromajutsu", path: "/p/k.yaml", kind: "same" };
const REFUSED: PlannedFile = {
  owner: "codex",
  path: "/h/c.toml",
  kind: "refused",
  problem: { kind: "syntax", line: 3, column: 7, detail: "bad" },
  entry: "[x]\ny = 1",
};
const NO_OPTIONS: InitOptions = {
  yes: false,
  dryRun: false,
  clients: undefined,
  runner: undefined,
  scope: undefined,
};

type Person = {
  readonly files: readonly PlannedFile[];
  readonly answers?: readonly string[];
  readonly isTTY?: boolean;
  readonly options?: Partial<InitOptions>;
  readonly problem?: FileProblem;
};

/** Answers each question in turn; when no answer is left, the input ends. */
async function init({ files, answers = [], isTTY = true, options = {}, problem }: Person) {
  const left = [...answers];
  const written: string[] = [];
  const choices: SetupChoice[] = [];
  const setup: Setup = {
    locale: "en",
    program: "kuromajutsu",
    isProject: true,
    findRunners: async () => [
      { id: "claude", command: "/bin/claude" },
      { id: "codex", command: "/bin/codex" },
    ],
    findClients: async () => ["cursor", "claude"],
    async plan(choice) {
      choices.push(choice);
      return files;
    },
    async write({ path }) {
      if (!problem) written.push(path);
      return problem;
    },
  };
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  let said = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (!/(?:: |\[y\/n\] )$/.test(text)) return;
    const answer = left.shift();
    if (answer === undefined) input.end();
    else input.write(`${answer}\n`);
  });
  const console = createConsole({ input, output }, () => {});
  const code = await initialize(setup, console, { ...NO_OPTIONS, ...options }).catch(
    (error: unknown) => {
      if (error instanceof Interrupted) return "interrupted" as const;
      throw error;
    },
  );
  console.close();
  return { code, said, written, choices, left };
}

test("init asks for clients, scope and runner, and writes what a person accepts", async () => {
  const { code, said, written, choices } = await init({
    files: [SAME, NEW, CHANGED],
    answers: ["frob", "codex, cursor", "here", "global", "nobody", "codex", "n", "y"],
  });

  expect(choices).toEqual([{ clients: ["cursor", "codex"], scope: "global", runner: "codex" }]);
  expect(said).toContain('There is no client "frob"');
  expect(said).toContain("Change the entry in /p/.mcp.json? [y/n]");
  expect(said).toContain("Write this file? [y/n]");
  expect(written).toEqual(["/p/.cursor/mcp.json"]);
  expect(said).toContain("Run kuromajutsu doctor");
  expect(said).toContain("Restart Cursor.");
  // One of the changes was declined.
  expect(code).toBe(1);
});

test("init takes what it finds if a person presses only Enter", async () => {
  const { code, choices } = await init({ files: [NEW], answers: ["", "", "", "y"] });

  expect(choices).toEqual([{ clients: ["cursor", "claude"], scope: "nearest", runner: "auto" }]);
  expect(code).toBe(0);
});

test("init does not ask for what the command line names", async () => {
  const { choices, left } = await init({
    files: [NEW],
    options: { clients: ["gemini", "cursor"], runner: "gemini", scope: "project" },
    answers: ["y"],
  });

  expect(choices).toEqual([{ clients: ["cursor", "gemini"], scope: "project", runner: "gemini" }]);
  expect(left).toEqual([]);
});

test("init writes nothing when the input ends", async () => {
  expect(await init({ files: [NEW], answers: [""] })).toMatchObject({
    code: "interrupted",
    written: [],
  });
  expect(await init({ files: [NEW], answers: ["", "", ""] })).toMatchObject({
    code: 1,
    written: [],
  });
});

test("init without a terminal shows the plan, writes nothing and ends with 2", async () => {
  const { code, said, written } = await init({ files: [NEW], isTTY: false });

  expect({ code, written }).toEqual({ code: 2, written: [] });
  expect(said).toContain("Cursor: /p/.cursor/mcp.json (new file)\n  + {\n  + }\n");
  expect(said).toContain("kuromajutsu init --yes");
});

test("init --yes writes everything, also changes, without a question", async () => {
  const { code, said, written } = await init({
    files: [NEW, CHANGED],
    isTTY: false,
    options: { yes: true },
  });

  expect({ code, written }).toEqual({ code: 0, written: [NEW.path, CHANGED.path] });
  expect(said).toContain("Claude Code: /p/.mcp.json (change)\n  @@ 1\n  - old\n  + new\n");
});

test("init --dry-run writes nothing and asks nothing", async () => {
  const { code, written, said } = await init({ files: [NEW], options: { dryRun: true } });

  expect({ code, written }).toEqual({ code: 0, written: [] });
  expect(said).not.toContain("?");
});

test("init has nothing to do when everything is there", async () => {
  const { code, said } = await init({ files: [SAME], isTTY: false });

  expect(code).toBe(0);
  expect(said).toContain("There is nothing to change.");
});

test("init says what is wrong with a refused file and shows the entry, and writes the others", async () => {
  const { code, said, written } = await init({
    files: [NEW, REFUSED],
    options: { yes: true },
  });

  expect({ code, written }).toEqual({ code: 1, written: [NEW.path] });
  expect(said).toContain("/h/c.toml:3:7 (bad)");
  expect(said).toContain("    [x]\n    y = 1\n");
});

test("init names a file that could not be written and ends with 1", async () => {
  const { code, said } = await init({
    files: [NEW],
    options: { yes: true },
    problem: { kind: "changed" },
  });

  expect(code).toBe(1);
  expect(said).toContain("Not written: /p/.cursor/mcp.json");
});

test("init says how to set the runner in a file that it does not change", async () => {
  const { said } = await init({ files: [SAME], options: { yes: true, runner: "gemini" } });

  expect(said).toContain("agent: { runner: gemini }");
  expect(said).toContain("! The CLI of gemini is not found.");
});

test("changedLines shows no line that only gets a comma, because it may contain a key", () => {
  const before = `{\n  "a": "secret"\n}\n`;
  const after = `{\n  "a": "secret",\n  "b": 1\n}\n`;

  expect(changedLines(before, after)).toEqual(["@@ 3", `+   "b": 1`]);
});

const PROBLEMS: readonly FileProblem[] = [
  { kind: "link", place: "/x" },
  { kind: "foreign", place: "/x", uid: 7 },
  { kind: "read-only", place: "/x", mode: 0o444 },
  { kind: "not-a-file", place: "/x" },
  { kind: "not-a-map", key: "/x" },
  { kind: "by-hand" },
  { kind: "io", detail: "/x" },
];

test.each(PROBLEMS)("the problem $kind is explained in both languages", (problem) => {
  for (const texts of Object.values(INIT_TEXTS)) {
    expect(texts.problem(problem, "/x")).toContain("/x");
  }
});
