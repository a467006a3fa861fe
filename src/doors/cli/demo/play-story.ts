import { setTimeout as sleep } from "node:timers/promises";
import {
  DEMO_STORIES,
  demoRequest,
  type DemoStory,
  demoStoryOf,
  PAUSES_AFTER,
} from "../../../contract/demo.ts";
import { changeTask, getTask } from "../../../contract/routes/tasks.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import type { Locale } from "../../../domain/locale.ts";
import { createApi, Problem } from "../terminal/api.ts";
import { createConsole } from "../terminal/console.ts";
import type { Guide, Session } from "../terminal/session.ts";
import { runTask } from "../terminal/task-commands.ts";
import { TERMINAL_TEXTS } from "../terminal/terminal-texts.ts";
import { DEMO_TEXTS, type DemoTexts } from "./demo-texts.ts";

const LOOK_EVERY_MS = 100;

export type PlayStory = {
  readonly url: string;
  readonly locale: Locale;
  readonly command: string;
  readonly workingDirectory: string;
  /** undefined: the person chooses. */
  readonly story: DemoStory | undefined;
  readonly onInterrupt: () => void;
};

/** A story in the terminal, like `kuromajutsu run`, with explanations. Returns the exit code. */
export async function playStory(play: PlayStory): Promise<number> {
  const { url, locale, command, workingDirectory } = play;
  const demo = DEMO_TEXTS[locale];
  const session: Session = {
    api: createApi(url, { locale, command }),
    console: createConsole({ input: process.stdin, output: process.stdout }, play.onInterrupt),
    texts: TERMINAL_TEXTS[locale],
    program: command,
    approvesAll: false,
    onInterrupt: play.onInterrupt,
    // The daemon of a demo is this process.
    onRevived: () => {},
  };
  const { console } = session;
  console.print(`\n${console.style.magenta("黒魔術 Kuromajutsu")} — ${demo.intro}`);
  const story = play.story ?? (await chooseStory(session, demo));
  const guided: Session = { ...session, guide: createGuide(session, demo) };
  const code = await runTask(guided, {
    text: demoRequest(story, locale),
    workingDirectory,
    detach: false,
  });
  console.print(`\n✨ ${demo.next(command)}`);
  console.close();
  return code;
}

async function chooseStory({ console }: Session, demo: DemoTexts): Promise<DemoStory> {
  console.print(`\n${demo.choose}`);
  DEMO_STORIES.forEach((story, index) => console.print(`  ${index + 1}. ${demo.stories[story]}`));
  const { signal } = new AbortController();
  for (;;) {
    const said = (await console.ask(demo.chooseNumber, signal)).normalize("NFKC");
    const chosen = DEMO_STORIES[Number(said) - 1];
    if (chosen) return chosen;
  }
}

/** Explains what the person sees, and offers to block the task where it pauses. */
function createGuide({ api, console }: Session, demo: DemoTexts): Guide {
  const { signal } = new AbortController();
  const note = (text: string) => console.print(`\n💡 ${console.style.cyan(text)}`);
  let isOffered = false;

  async function offerBlock(taskId: string): Promise<void> {
    note(demo.block);
    const reason = await console.ask(demo.askReason, signal);
    if (reason === "") return;
    const params = { id: taskId };
    await api.call(changeTask, { params, body: { status: "blocked", reason } });
    console.print(demo.stopping);
    while (isRunning(await api.call(getTask, { params }))) await sleep(LOOK_EVERY_MS);
    note(demo.stopped);
    await console.ask(demo.askUnblock, signal);
    await api.call(changeTask, { params, body: { status: "in_progress" } });
  }

  return {
    explain({ kind }) {
      const text = demo.before[kind];
      if (text) note(text);
    },
    async look(task) {
      if (isOffered || !isPaused(task)) return;
      isOffered = true;
      await offerBlock(task.taskId).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        // It went on in the meantime.
        console.print(error.message);
      });
    },
  };
}

function isPaused(task: WireTaskDetail): boolean {
  const story = demoStoryOf(task.request);
  const steps = task.executions.at(-1)?.steps ?? [];
  const isDone = steps.some(
    ({ stepId, status }) => story && stepId === PAUSES_AFTER[story] && status === "done",
  );
  return isDone && task.status === "in_progress";
}

function isRunning({ agents }: WireTaskDetail): boolean {
  return agents.some(({ status }) => status === "running" || status === "queued");
}
