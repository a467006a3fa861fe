import { decideApproval, getApproval } from "../../../contract/routes/approvals.ts";
import { changeTask, getTask } from "../../../contract/routes/tasks.ts";
import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { type Api, Problem, Unreachable } from "./api.ts";
import { askDecision, type DecisionBody } from "./ask-decision.ts";
import { type Bell, createBell } from "./bell.ts";
import { type Console, Interrupted } from "./console.ts";
import { known, renderEnd, renderProcess, renderPrompt, renderSteps } from "./render-task.ts";
import type { TerminalTexts } from "./terminal-texts.ts";
import { watchTask } from "./watch-task.ts";

export type Session = {
  readonly api: Api;
  readonly console: Console;
  readonly texts: TerminalTexts;
  /** `--yes`: approves everything that is asked, except questions. */
  readonly approvesAll: boolean;
  /** Called on Ctrl-C. Replaced while a question is open. */
  onInterrupt: () => void;
};

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
  steps: string;
  hint: string;
};

const EXIT = { completed: 0, failed: 1, cancelled: 2, detached: 3 } as const;

/** Shows a task until it ends and asks for the approvals it waits for. Returns the exit code. */
export async function followTask(session: Session, taskId: string): Promise<number> {
  const bell = createBell();
  const following: Following = Object.assign(session, {
    taskId,
    bell,
    printed: { status: "", prompt: 0, process: 0, execution: "", steps: "", hint: "" },
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
  } finally {
    stop();
  }
}

async function update(following: Following): Promise<number | undefined> {
  const { api, console, texts, printed } = following;
  if (following.isInterrupted) {
    const code = await askInterrupt(following);
    if (code !== undefined) return code;
  }
  try {
    const task = await api.call(getTask, { params: { id: following.taskId } });
    printChanges(following, task);
    if (task.status === "completed" || task.status === "failed" || task.status === "cancelled") {
      console.print(renderEnd(task, texts));
      return EXIT[task.status];
    }
    const pending = task.approvals.find(({ status }) => status === "pending");
    if (pending) await decide(following, pending);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    // The watcher rings again once the daemon is reachable.
    if (printed.hint !== texts.reconnecting) console.print(texts.reconnecting);
    printed.hint = texts.reconnecting;
  }
  return undefined;
}

function printChanges({ console, texts, printed }: Following, task: WireTaskDetail): void {
  if (printed.status !== task.status) {
    const why = {
      by: visibleLine(task.statusBy ?? ""),
      reason: visibleText(task.statusReason ?? ""),
    };
    console.print(
      task.status === "blocked"
        ? texts.blockedBy(why.by, why.reason)
        : `● ${texts.task[task.status]}${task.title ? ` — ${visibleLine(task.title)}` : ""}`,
    );
    printed.status = task.status;
  }
  const prompt = task.prompts.at(-1);
  if (prompt && prompt.version > printed.prompt) console.print(renderPrompt(task, texts));
  printed.prompt = prompt?.version ?? 0;
  const process = task.processes.at(-1);
  if (process && process.version > printed.process) console.print(renderProcess(task, texts));
  printed.process = process?.version ?? 0;
  printSteps({ console, texts, printed }, task);
}

/** Prints the steps only if more than their elapsed time has changed. */
function printSteps(
  { console, texts, printed }: Pick<Following, "console" | "texts" | "printed">,
  task: WireTaskDetail,
): void {
  const execution = task.executions.at(-1);
  if (!execution) return;
  const current = JSON.stringify([
    execution.executionId,
    execution.steps.map(({ stepId, status, error }) => [stepId, status, error]),
  ]);
  const status = `🚀 ${known(texts.execution, execution.status)}`;
  if (current !== printed.steps) console.print(`\n${status}\n${renderSteps(task, texts)}`);
  // The start is printed too; the end is printed with the task.
  else if (printed.execution === "queued" && execution.status === "running") console.print(status);
  printed.steps = current;
  printed.execution = execution.status;
}

async function decide(following: Following, approval: WireApproval): Promise<void> {
  const { console, texts, printed, approvesAll } = following;
  if (approvesAll && approval.kind !== "question") {
    console.print(`${texts.asks[approval.kind]}: --yes`);
    const answer = approval.kind === "outcome" ? { answer: "done" } : {};
    return sendDecision(following, approval, {
      decision: "approve",
      version: approval.version,
      ...answer,
    });
  }
  if (!console.isInteractive) {
    const hint = texts.nobodyHere(approval.approvalId);
    if (printed.hint !== hint) console.print(hint);
    printed.hint = hint;
    return;
  }
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
      .catch(() => undefined);
    if (!now || now.status === "pending" || withdrawn.signal.aborted) return;
    withdrawn.abort();
    console.print(`\n${texts.decidedElsewhere(visibleLine(now.decidedBy ?? "—"), now.status)}`);
  }
  try {
    return await askDecision({ console, texts, signal: withdrawn.signal }, approval);
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
    console.print(error.message);
  }
  bell.ring();
}

/** The first Ctrl-C asks, the second detaches, so that no task is stopped by accident. */
async function askInterrupt(following: Following): Promise<number | undefined> {
  const { api, console, texts, taskId, bell } = following;
  const again = new AbortController();
  const onInterrupt = following.onInterrupt;
  following.onInterrupt = () => again.abort();
  try {
    const said = console.isInteractive
      ? await console.ask(texts.interrupted, again.signal).catch(() => "d")
      : "d";
    if (said.toLowerCase() === "d") {
      console.print(texts.detached(taskId));
      return EXIT.detached;
    }
    if (said.toLowerCase() === "c") {
      const answer = await api.call(changeTask, {
        params: { id: taskId },
        body: { status: "cancelled" },
      });
      console.print(texts.cancelled(answer.stopping.length));
    }
    return undefined;
  } finally {
    following.isInterrupted = false;
    following.onInterrupt = onInterrupt;
    bell.ring();
  }
}
