// Runs the command lines of the documents as a reader would: in bash, against a real daemon.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { buildProgram } from "../../src/doors/cli/build-program.ts";
import { COMMANDS } from "../../src/doors/cli/commands.ts";
import { aPlace, BIN } from "./daemon.ts";
import { aRequest, aStory, began, type Story } from "./story.ts";
import { aTempDir } from "./tmp-dir.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HR_SERVER = join(ROOT, "examples/hr/server.js");
/** Our program at the beginning of a line, also after variables: `KUROMAJUTSU_PORT=0 kuromajutsu …`. */
const OURS = /^(?:\$ )?((?:[A-Z_]+=\S+ )*)(?:npx )?kuromajutsu(?= |$)/;
const PLACEHOLDER = /\b(?:task|apr|sch|grp|agent)-…/g;

/** Gives the text that a placeholder of a line stands for, such as the id of a running task. */
export type Fill = (story: Story) => Promise<string>;

/** How a line is run that cannot be run as it is. */
export type Treatment =
  /** Why it cannot be run. Its command and its options are still checked. */
  | { readonly notRun: string }
  | {
      /** By placeholder: `task-…`, `apr-…`. */
      readonly fill?: Readonly<Record<string, Fill>>;
      /** A person approves everything while the line runs. */
      readonly approvesAll?: true;
      /** The documented exit code, if it is not 0. */
      readonly exits?: number;
    };

/** Lines by their text in the page, without a comment and with one space between words. */
export type Treatments = Readonly<Record<string, Treatment>>;

/** The lines of the page's bash blocks that start our program, without comments. */
export function commandsIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/```(?:bash|sh|console)\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => linesOf(block))
    .flatMap((line) => line.split(" && "))
    .map((line) => withoutComment(line).replaceAll(/ {2,}/g, " ").trim())
    .filter((line) => OURS.test(line))
    .map((line) => line.replace(OURS, "$1kuromajutsu"));
}

/** A text in quotes and a backslash continue on the next line. */
function linesOf(block: string): readonly string[] {
  return block.replaceAll(/\\\n\s*/g, "").match(/(?:[^\n"]|"[^"]*")+/g) ?? [];
}

/** A `#` in quotes begins no comment. */
function withoutComment(line: string): string {
  return /^((?:[^"'#]|"[^"]*"|'[^']*'|(?<=\S)#)*)/.exec(line)?.[1] ?? line;
}

/** The same lines without what differs between the languages: texts in quotes. */
export function commandShapesIn(page: string): readonly string[] {
  return commandsIn(page).map((line) => line.replaceAll(/"[^"]*"/g, '"…"'));
}

/** What is wrong with a line that is not run: an unknown command, option or number of arguments. */
export async function mistakesIn(line: string): Promise<string | undefined> {
  const [, ...words] = wordsOf(line.replace(OURS, "kuromajutsu"));
  // Without a command it is `serve`; `help X` and `--help` are handled before the commands.
  if (words.length === 0 || words.includes("--help")) return undefined;
  const program = buildProgram({
    commands: COMMANDS,
    version: "0",
    program: "kuromajutsu",
    locale: "en",
    run: () => Promise.resolve(),
  });
  const known = program.parseAsync(words[0] === "help" ? [...words.slice(1), "--help"] : words, {
    from: "user",
  });
  return known.then(
    () => undefined,
    (error: unknown) => `${line}: ${String(error)}`,
  );
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/["']/g, ""),
  );
}

/** A daemon with the rehearsal, and the servers of the examples; readers have our program on PATH. */
export async function aReader(config: Record<string, unknown> = {}): Promise<Story> {
  const bin = aTempDir();
  script(bin, "kuromajutsu", `exec "${process.execPath}" "${BIN}" "$@"`);
  script(bin, "npx", '[ "$1" = kuromajutsu ] || exit 127\nexec "$@"');
  const place = aPlace({ LANG: "en_US.UTF-8", PATH: `${bin}:/usr/bin:/bin` });
  mkdirSync(join(place.dir, ".config/fish/completions"), { recursive: true });
  const hr = {
    command: process.execPath,
    args: [HR_SERVER],
    env: { HR_OUTPUT_DIR: join(place.dir, "output") },
  };
  return aStory(config, { place, servers: { hr } });
}

function script(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs every line in order and returns what went wrong, with the output of the line. */
export async function failuresOf(
  story: Story,
  lines: readonly string[],
  treatments: Treatments,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const line of lines) {
    const failure = await failureOf(story, line, treatments[line] ?? {});
    if (failure !== undefined) failures.push(failure);
  }
  return failures;
}

async function failureOf(
  story: Story,
  line: string,
  treatment: Treatment,
): Promise<string | undefined> {
  if ("notRun" in treatment) return mistakesIn(line);
  const { fill = {}, approvesAll = false, exits = 0 } = treatment;
  const missing = (line.match(PLACEHOLDER) ?? []).filter((each) => !(each in fill));
  if (missing.length > 0) return `${line}: what ${missing.join(" and ")} stands for is not known`;
  let filled = line;
  for (const [placeholder, value] of Object.entries(fill)) {
    filled = filled.replaceAll(placeholder, await value(story));
  }
  const running = new AbortController();
  const approving = approvesAll ? approveAll(story, running.signal) : Promise.resolve();
  const { code, output } = await inBash(story, filled);
  running.abort();
  await approving;
  return code === exits ? undefined : `${filled} ended with ${String(code)}:\n${output}`;
}

async function inBash({ place }: Story, line: string) {
  const config = join(place.dir, "kuromajutsu.config.yaml");
  const child = spawn("/bin/bash", ["-c", line], {
    cwd: place.dir,
    env: { KUROMAJUTSU_CONFIG: config, ...place.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const pendingShape = z.object({
  approvals: z.array(z.looseObject({ approvalId: z.string(), version: z.number() })),
});

async function approveAll(story: Story, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { body } = await story.ask("GET", "/api/approvals?status=pending");
    for (const { approvalId, version } of pendingShape.parse(body).approvals) {
      await story.ask("POST", `/api/approvals/${approvalId}/decision`, {
        decision: "approve",
        version,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const FREE = "Write a greeting";

const tasksShape = z.object({ tasks: z.array(z.looseObject({ taskId: z.string() })) });

/** What an earlier line of the page has left. */
async function aTaskThatIs(status: string, story: Story): Promise<string | undefined> {
  const { body } = await story.ask("GET", `/api/tasks?status=${status}`);
  return tasksShape.parse(body).tasks[0]?.taskId;
}

/** A task whose prompt waits for a person. */
export const waitingTask: Fill = (story) => story.create(FREE);

export const runningTask: Fill = async (story) => {
  const taskId = await story.start(aRequest("after step-1 listen 120000"));
  await story.reach(taskId, ({ status, executions }) => {
    const [execution] = executions;
    return status === "in_progress" && execution?.steps[0]?.status === "done";
  });
  return taskId;
};

export const blockedTask: Fill = async (story) => {
  const found = await aTaskThatIs("blocked", story);
  if (found !== undefined) return found;
  const taskId = await runningTask(story);
  await story.change(taskId, "blocked");
  return taskId;
};

export const completedTask: Fill = async (story) => {
  const found = await aTaskThatIs("completed", story);
  if (found !== undefined) return found;
  const taskId = await story.start(FREE);
  await story.reach(taskId, ({ status }) => status === "completed");
  return taskId;
};

export const failedTask: Fill = async (story) => {
  const taskId = await story.create(`${FREE}\n#rehearsal in planner fail out of ideas`);
  await story.reach(taskId, ({ status }) => status === "failed");
  return taskId;
};

/** An approval of the kind `prompt`. */
export const pendingApproval: Fill = async (story) => {
  const waiting = await aTaskThatIs("awaiting_prompt_approval", story);
  const taskId = waiting ?? (await story.create(FREE));
  return (await story.pending(taskId, "prompt")).approvalId;
};

/** An executor that asks a person and waits for the answer. */
export const pendingQuestion: Fill = async (story) => {
  const question = JSON.stringify({ question: "Which department?" });
  const taskId = await story.start(aRequest(`before step-1 tool ask_human ${question}`));
  return (await story.pending(taskId, "question")).approvalId;
};

/** A call whose answer was lost: its task was blocked while the upstream server worked. */
export const pendingOutcome: Fill = async (story) => {
  const taskId = await story.start(aRequest("arg step-2.pauseMs 60000"));
  await story.reach(taskId, () => began(story, "write_note"));
  await story.change(taskId, "blocked");
  return (await story.pending(taskId, "outcome")).approvalId;
};

const listShape = z.object({ schedules: z.array(z.looseObject({ scheduleId: z.string() })) });

/** The newest schedule: a page adds one before it names it. */
export const aSchedule: Fill = async (story) => {
  const { body } = await story.ask("GET", "/api/schedules");
  return z.string().parse(listShape.parse(body).schedules[0]?.scheduleId);
};
