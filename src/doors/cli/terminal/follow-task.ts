import { decideApproval, getApproval } from "../../../contract/routes/approvals.ts";
import { getTask } from "../../../contract/routes/tasks.ts";
import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { DaemonStopped, Problem } from "./api.ts";
import { askDecision, type DecisionBody } from "./ask-decision.ts";
import { askInterrupt } from "./ask-interrupt.ts";
import { type Bell, createBell } from "./bell.ts";
import { Interrupted } from "./console.ts";
import { renderProgress } from "./render-progress.ts";
import { progressLine, renderEnd, renderProcess, renderPrompt, stepLines } from "./render-task.ts";
import { resultFiles } from "./result-files.ts";
import { addressOf, type Session } from "./session.ts";
import { watchTask } from "./watch-task.ts";

type Following = Session & {
  readonly taskId: string;
  readonly bell: Bell;
  readonly printed: Printed;
  isInterrupted: boolean;
};

/** What was printed already, so that nothing is printed twice. */
type Printed = {
  status: string;
  prompt: number;
  process: number;
  execution: string;
  steps: ReadonlySet<string>;
  hint: string;
};

const EXIT = { completed: 0, failed: 1, cancelled: 2, detached: 3 } as const;

/** Shows a task until it ends and asks for the approvals it waits for. Returns the exit code. */
export async function followTask(session: Session, taskId: string): Promise<number> {
  const bell = createBell();
  const following: Following = Object.assign(session, {
    taskId,
    bell,
    printed: {
      status: "",
      prompt: 0,
      process: 0,
      execution: "",
      steps: new Set<string>(),
      hint: "",
    },
    isInterrupted: false,
  });
  session.onInterrupt = () => {
    following.isInterrupted = true;
    bell.ring();
  };
  const stop = watchTask(session.api, taskId, () => bell.ring());
  bell.ring();
  try {
    for (;;) {
      await bell.next();
      const code = await update(following);
      if (code !== undefined) return code;
    }
  } catch (error) {
    if (!(error instanceof DaemonStopped)) throw error;
    const { console, texts, program } = session;
    console.live(undefined);
    console.print(texts.daemonStopped(`${program} tasks ${taskId} follow`));
    return EXIT.detached;
  } finally {
    stop();
    session.console.live(undefined);
  }
}

async function update(following: Following): Promise<number | undefined> {
  const { api } = following;
  if (following.isInterrupted) {
    const code = await interrupt(following);
    if (code !== undefined) return code;
  }
  const task = await api.call(getTask, { params: { id: following.taskId } });
  printChanges(following, task);
  if (task.status === "completed" || task.status === "failed" || task.status === "cancelled") {
    await printEnd(following, task);
    return EXIT[task.status];
  }
  showProgress(following, task);
  await following.guide?.look(task);
  const pending = task.approvals.find(({ status }) => status === "pending");
  if (pending) await decide(following, pending);
  return undefined;
}

function showProgress({ console, texts, api }: Following, task: WireTaskDetail): void {
  const readAt = Date.now();
  const address = addressOf(api, "tasks", task.taskId);
  const { style } = console;
  console.live((size) =>
    renderProgress(task, { texts, style, size, address, readAt, now: Date.now() }),
  );
}

async function printEnd({ console, texts, api }: Following, task: WireTaskDetail): Promise<void> {
  console.live(undefined);
  // The live block is gone, so the steps are printed once as they ended.
  const steps = console.canRedraw ? stepLines(task, texts).map(({ line }) => line) : [];
  const address = addressOf(api, "tasks", task.taskId);
  const files = await resultFiles(api, task);
  const end = renderEnd(task, { texts, style: console.style, files, address });
  console.print([...steps, "", end].join("\n"));
}

function printChanges(following: Following, task: WireTaskDetail): void {
  const { console, texts, printed } = following;
  if (printed.status !== task.status) printStatus(following, task);
  const prompt = task.prompts.at(-1);
  if (prompt && prompt.version > printed.prompt) console.print(renderPrompt(task, texts));
  printed.prompt = prompt?.version ?? 0;
  const process = task.processes.at(-1);
  if (process && process.version > printed.process) console.print(renderProcess(task, texts));
  printed.process = process?.version ?? 0;
  if (!console.canRedraw) printSteps(following, task);
}

function printStatus({ console, texts, printed }: Following, task: WireTaskDetail): void {
  const by = visibleLine(task.statusBy ?? "");
  if (task.status === "blocked") {
    console.print(texts.blockedBy(by, visibleText(task.statusReason ?? "")));
  } else if (printed.status === "blocked" && task.status === "in_progress") {
    console.print(texts.unblockedBy(by));
  } else if (!console.canRedraw) {
    const title = task.title ? ` — ${visibleLine(task.title)}` : "";
    console.print(`● ${texts.task[task.status]}${title}`);
  }
  printed.status = task.status;
}

/** Without a terminal to redraw: one line for each step that changed. */
function printSteps({ console, texts, printed }: Following, task: WireTaskDetail): void {
  const execution = task.executions.at(-1);
  if (!execution) return;
  const status = `${execution.executionId} ${execution.status}`;
  if (printed.execution !== status) console.print(`🚀 ${texts.execution[execution.status]}`);
  printed.execution = status;
  const lines = stepLines(task, texts);
  const changed = lines.filter(({ key }) => !printed.steps.has(key));
  if (changed.length > 0) {
    console.print([...changed.map(({ line }) => line), progressLine(task, texts)].join("\n"));
  }
  printed.steps = new Set(lines.map(({ key }) => key));
}

async function decide(following: Following, approval: WireApproval): Promise<void> {
  const { console, texts, printed, approvesAll, program } = following;
  // A merge moves a branch of a person: --yes is about the task.
  if (approvesAll && approval.kind !== "question" && approval.kind !== "merge") {
    console.print(texts.approvedByFlag(visibleLine(approval.title)));
    const answer = approval.kind === "outcome" ? { answer: "done" } : {};
    return sendDecision(following, approval, {
      decision: "approve",
      version: approval.version,
      ...answer,
    });
  }
  if (!console.isInteractive) {
    const hint = texts.nobodyHere(program, approval.approvalId);
    if (printed.hint !== hint) console.print(hint);
    printed.hint = hint;
    return;
  }
  following.guide?.explain(approval);
  const body = await askUnlessDecided(following, approval);
  if (body) await sendDecision(following, approval, body);
  else following.bell.ring();
}

/** Withdraws the question if the approval is decided elsewhere in the meantime. */
async function askUnlessDecided(
  following: Following,
  approval: WireApproval,
): Promise<DecisionBody | undefined> {
  const { api, console, texts } = following;
  const withdrawn = new AbortController();
  const onInterrupt = following.onInterrupt;
  following.onInterrupt = () => {
    onInterrupt();
    withdrawn.abort();
  };
  const stop = watchTask(api, following.taskId, () => void check());
  async function check(): Promise<void> {
    const now = await api
      .call(getApproval, { params: { id: approval.approvalId } })
      .catch((error: unknown) => {
        if (!(error instanceof DaemonStopped)) return undefined;
        // The next read of the task ends the command.
        withdrawn.abort();
        console.print("");
        return undefined;
      });
    if (!now || now.status === "pending" || withdrawn.signal.aborted) return;
    withdrawn.abort();
    console.print(`\n${texts.decidedElsewhere(visibleLine(now.decidedBy ?? ""), now.status)}`);
  }
  try {
    console.live(undefined);
    const address = addressOf(api, "approvals", approval.approvalId);
    return await askDecision({ console, texts, signal: withdrawn.signal, address }, approval);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    // The input has ended, so nothing more can be asked.
    if (!withdrawn.signal.aborted) onInterrupt();
    return undefined;
  } finally {
    stop();
    following.onInterrupt = onInterrupt;
  }
}

async function sendDecision(following: Following, approval: WireApproval, body: DecisionBody) {
  const { api, console, bell } = following;
  try {
    await api.call(decideApproval, { params: { id: approval.approvalId }, body });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The decision is stored and only its answer was lost with the daemon; the task shows it.
    if (error.code !== "OUTCOME_UNKNOWN") console.print(error.message);
  }
  bell.ring();
}

/** The first Ctrl-C asks, the second detaches, so that no task is stopped by accident. */
async function interrupt(following: Following): Promise<number | undefined> {
  const again = new AbortController();
  const onInterrupt = following.onInterrupt;
  following.onInterrupt = () => again.abort();
  try {
    return (await askInterrupt(following, again.signal)) ? EXIT.detached : undefined;
  } finally {
    following.isInterrupted = false;
    following.onInterrupt = onInterrupt;
    following.bell.ring();
  }
}
