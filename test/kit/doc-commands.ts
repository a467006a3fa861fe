// Runs the command lines of the documents as a reader would: in bash, against a real daemon.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { buildProgram } from "../../src/doors/cli/build-program.ts";
import { COMMANDS } from "../../src/doors/cli/commands.ts";
import { anHttpClient, aPlace, BIN, until } from "./daemon.ts";
import { aRepository } from "./repository.ts";
import { aRequest, aStory, began, type Story } from "./story.ts";
import { aTempDir } from "./tmp-dir.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HR_SERVER = join(ROOT, "examples/hr/server.js");
/** Our program at the beginning of a line, also after variables: `KUROMAJUTSU_PORT=0 kuromajutsu …`. */
const OURS = /^(?:\$ )?((?:[A-Z_]+=\S+ )*)(?:npx )?kuromajutsu(?= |$)/;
/** Requests that need no id and no token. Others are in test/docs/curl-lines.test.ts. */
const ASKS = /^curl -s http:\/\/127\.0\.0\.1:9696\//;
const LINE_MS = 120_000;
/** Pages wait beside each other. */
const POLL_MS = 250;
const PLACEHOLDER = /\b(?:task|apr|sch|grp|agent|impl-code|wsp)-…/g;

/** The reader of one page: its own home directory, and a daemon that pages may share. */
export type Reader = {
  readonly story: Story;
  readonly home: string;
  /** What the fills of this page have made, by name. */
  readonly made: Map<string, Promise<string>>;
};

/** Gives the text that a placeholder of a line stands for, such as the id of a running task. */
export type Fill = {
  readonly find: (reader: Reader) => Promise<string>;
  /** Made when the page begins, beside its first lines. Else when its line is reached. */
  readonly isEarly: boolean;
};

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
    .filter((line) => OURS.test(line) || ASKS.test(line))
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

/** A line without what differs between the languages: texts in quotes. */
export function shapeOf(line: string): string {
  return line.replaceAll(/"[^"]*"/g, '"…"');
}

export function commandShapesIn(page: string): readonly string[] {
  return commandsIn(page).map(shapeOf);
}

/** What is wrong with a line that is not run: an unknown command, option or number of arguments. */
export async function mistakesIn(line: string): Promise<string | undefined> {
  if (ASKS.test(line)) return undefined;
  const [, ...words] = wordsOf(line.replace(OURS, "kuromajutsu").replace(/ > .*/, ""));
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
export async function aReader(config: Record<string, unknown> = {}): Promise<Reader> {
  const bin = aTempDir();
  script(bin, "kuromajutsu", `exec "${process.execPath}" "${BIN}" "$@"`);
  script(bin, "npx", '[ "$1" = kuromajutsu ] || exit 127\nexec "$@"');
  const place = aPlace({ LANG: "en_US.UTF-8", PATH: `${bin}:/usr/bin:/bin` });
  const hr = {
    command: process.execPath,
    args: [HR_SERVER],
    env: { HR_OUTPUT_DIR: join(place.dir, "output") },
  };
  return anotherReader(await aStory(config, { place, servers: { hr }, pollMs: POLL_MS }));
}

/** Reads with the same daemon, from another home directory. */
export function anotherReader(story: Story): Reader {
  const home = aTempDir();
  mkdirSync(join(home, ".config/fish/completions"), { recursive: true });
  return { story, home, made: new Map() };
}

function script(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs every line in order and returns what went wrong, with the output of the line. */
export async function failuresOf(
  reader: Reader,
  lines: readonly string[],
  treatments: Treatments,
): Promise<readonly string[]> {
  for (const treatment of lines.map((line) => treatments[line] ?? {})) {
    const fills = "fill" in treatment ? Object.values(treatment.fill ?? {}) : [];
    for (const { find } of fills.filter(({ isEarly }) => isEarly)) {
      // Its line awaits it and reports the failure.
      find(reader).catch(() => undefined);
    }
  }
  const failures: string[] = [];
  for (const line of lines) {
    const failure = await failureOf(reader, line, treatments[line] ?? {});
    if (failure !== undefined) failures.push(failure);
  }
  return failures;
}

async function failureOf(
  reader: Reader,
  line: string,
  treatment: Treatment,
): Promise<string | undefined> {
  if ("notRun" in treatment) return mistakesIn(line);
  const { fill = {}, approvesAll = false, exits = 0 } = treatment;
  const missing = (line.match(PLACEHOLDER) ?? []).filter((each) => !(each in fill));
  if (missing.length > 0) return `${line}: what ${missing.join(" and ")} stands for is not known`;
  let filled = line.replace(ASKS, `curl -sf ${reader.story.url()}/`);
  for (const [placeholder, { find }] of Object.entries(fill)) {
    filled = filled.replaceAll(placeholder, await find(reader));
  }
  const running = new AbortController();
  const approving = approvesAll ? approveAll(reader, line, running.signal) : Promise.resolve();
  const { code, output } = await inBash(reader, filled);
  running.abort();
  await approving;
  return code === exits ? undefined : `${filled} ended with ${String(code)}:\n${output}`;
}

async function inBash({ story: { place }, home }: Reader, line: string) {
  const config = join(place.dir, "kuromajutsu.config.yaml");
  const child = spawn("/bin/bash", ["-c", line], {
    cwd: home,
    env: { KUROMAJUTSU_CONFIG: config, ...place.env, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
    // A line that waits for a person fails with its own text, not with the timeout of the test.
    timeout: LINE_MS,
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const pendingShape = z.object({
  approvals: z.array(
    z.looseObject({
      approvalId: z.string(),
      kind: z.string(),
      taskId: z.string().nullable(),
      version: z.number(),
    }),
  ),
});

/** Approves what the task of a line `run "…"` asks; tasks of other pages wait for their own lines. */
async function approveAll({ story }: Reader, line: string, signal: AbortSignal): Promise<void> {
  const [, request = ""] = /"([^"]*)"/.exec(line) ?? [];
  while (!signal.aborted) {
    const { body } = await story.ask("GET", "/api/approvals?status=pending");
    const tasks = tasksShape.parse((await story.ask("GET", "/api/tasks?limit=200")).body).tasks;
    const ours = tasks.filter((task) => task.request === request).map(({ taskId }) => taskId);
    const pending = pendingShape.parse(body).approvals;
    const asked = pending.filter(({ taskId }) => taskId !== null && ours.includes(taskId));
    for (const { approvalId, version } of asked) {
      await story.ask("POST", `/api/approvals/${approvalId}/decision`, {
        decision: "approve",
        version,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const FREE = "Write a greeting";

const tasksShape = z.object({
  tasks: z.array(z.looseObject({ taskId: z.string(), request: z.string() })),
});

/** One thing per page and name, made when the page begins. */
function early(name: string, make: (story: Story) => Promise<string>): Fill {
  return {
    isEarly: true,
    find({ story, made }) {
      const found = made.get(name) ?? make(story);
      made.set(name, found);
      return found;
    },
  };
}

/** Found when its line is reached: what an earlier line of the page has left. */
function late(find: (reader: Reader) => Promise<string>): Fill {
  return { isEarly: false, find };
}

/** Its executor listens; a line that blocks it leaves a blocked task. */
export const runningTask = early("running", async (story) => {
  const taskId = await story.start(aRequest("after step-1 listen 120000"));
  await story.reach(taskId, ({ status, executions }) => {
    const [execution] = executions;
    return status === "in_progress" && execution?.steps[0]?.status === "done";
  });
  return taskId;
});

/** Any completed task: lines of the pages request some. */
export const completedTask = late(({ story }) =>
  eventually(async () => {
    const { body } = await story.ask("GET", "/api/tasks?status=completed");
    return tasksShape.parse(body).tasks[0]?.taskId;
  }),
);

async function eventually(find: () => Promise<string | undefined>): Promise<string> {
  let found: string | undefined;
  const isFound = async () => (found = await find()) !== undefined;
  await until(isFound, undefined, LINE_MS, POLL_MS);
  return z.string().parse(found);
}

export const failedTask = early("failed", async (story) => {
  const taskId = await story.create(`${FREE}\n#rehearsal in planner fail out of ideas`);
  await story.reach(taskId, ({ status }) => status === "failed");
  return taskId;
});

/** A task whose prompt waits for a person. */
const waitingTask = early("waiting", (story) => story.create(FREE));

async function approvalOfWaitingTask(reader: Reader, kind: string): Promise<string> {
  const taskId = await waitingTask.find(reader);
  return (await reader.story.pending(taskId, kind)).approvalId;
}

/** An approval of the kind `prompt`. */
export const pendingApproval: Fill = {
  isEarly: true,
  find: (reader) => approvalOfWaitingTask(reader, "prompt"),
};

/** The approval after it: a line has approved the prompt. */
export const nextApproval = late((reader) => approvalOfWaitingTask(reader, "process"));

/** An agent that asks a person and waits for the answer. */
export const pendingQuestion = early("question", async (story) => {
  const question = JSON.stringify({ question: "Which department?" });
  await startAgent(story, `#rehearsal tool ask_human ${question}`);
  return eventually(async () => {
    const { body } = await story.ask("GET", "/api/approvals?status=pending");
    const { approvals } = pendingShape.parse(body);
    return approvals.find(({ kind }) => kind === "question")?.approvalId;
  });
});

/** A call whose answer was lost: its task was blocked while the upstream server worked. */
export const pendingOutcome = early("outcome", async (story) => {
  const taskId = await story.start(aRequest("arg step-2.pauseMs 60000"));
  await story.reach(taskId, () => began(story, "write_note"));
  await story.change(taskId, "blocked");
  return (await story.pending(taskId, "outcome")).approvalId;
});

const startedShape = z.looseObject({
  agents: z.array(z.looseObject({ agentId: z.string(), groupId: z.string() })),
});

const LISTEN = "#rehearsal listen 120000";

/** Starts a group with one agent. */
async function startAgent(story: Story, prompt = LISTEN, more: Record<string, string> = {}) {
  const { client, call } = await anHttpClient(story.url());
  const { groupId } = await call("create_group", { description: "Listen" });
  const agents = [{ role: "impl-code", prompt, workingDirectory: story.place.dir, ...more }];
  const started = startedShape.parse(await call("run_agents", { groupId, agents }));
  await client.close();
  const [agent] = started.agents;
  if (!agent) throw new Error("no agent was started");
  return agent;
}

export const runningGroup = early("group", async (story) => (await startAgent(story)).groupId);
export const runningAgent = early("agent", async (story) => (await startAgent(story)).agentId);
export const anotherAgent = early("another", async (story) => (await startAgent(story)).agentId);

const changedShape = z.looseObject({ workspace: z.looseObject({ workspaceId: z.string() }) });

/** An agent that has written to src/a.ts of a repository, in a worktree of its own. */
export const aChange = (name: string): Fill =>
  early(`change ${name}`, async (story) => {
    const { root } = aRepository({ "src/a.ts": "line\n".repeat(20) });
    const { agentId } = await startAgent(story, "#rehearsal edit src/a.ts more", {
      workingDirectory: root,
      isolation: "worktree",
    });
    return eventually(async () => {
      const { body } = await story.ask("GET", `/api/changes/${agentId}`);
      return z.looseObject({ version: z.literal(1) }).safeParse(body).success ? agentId : undefined;
    });
  });

/** The worktree of such an agent. */
export const aWorktree = (name: string): Fill => {
  const change = aChange(name);
  return {
    isEarly: true,
    async find(reader) {
      const { body } = await reader.story.ask("GET", `/api/changes/${await change.find(reader)}`);
      return changedShape.parse(body).workspace.workspaceId;
    },
  };
};

/** A folder that the page's reader may write, for the path of a line. */
export const folder = late(({ home }) => Promise.resolve(home));
export const anotherFolder = late(() => Promise.resolve(aTempDir()));

const listShape = z.object({
  schedules: z.array(z.looseObject({ scheduleId: z.string(), request: z.string() })),
});

/** The schedule that an earlier line of the page has added for this request. */
export const aSchedule = (request: string): Fill =>
  late(async ({ story }) => {
    const { body } = await story.ask("GET", "/api/schedules");
    const found = listShape.parse(body).schedules.find((each) => each.request === request);
    return z.string().parse(found?.scheduleId);
  });
