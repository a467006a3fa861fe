import type { TerminalTexts } from "./terminal-texts.ts";

const person = (id: string) => (id === "local" ? "you (local)" : id);
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const agents = (count: number) => (count === 1 ? "1 agent" : `${count} agents`);
const stop = (count: number) =>
  count === 0 ? "No agent was running." : `${agents(count)} will stop.`;

export const en: TerminalTexts = {
  locale: "en",
  task: {
    analyzing: "analysing",
    planning: "drafting the prompt",
    awaiting_prompt_approval: "prompt awaits approval",
    designing: "drafting the steps",
    awaiting_process_approval: "steps await approval",
    in_progress: "in progress",
    blocked: "blocked",
    completed: "completed",
    failed: "failed",
    cancelled: "cancelled",
  },
  step: {
    waiting: "waiting",
    running: "running",
    waiting_for_human: "waiting for a person",
    done: "done",
    failed: "failed",
    rejected: "rejected",
    stopped: "stopped",
    outcome_unknown: "outcome unknown",
  },
  execution: {
    queued: "queued",
    running: "running",
    waiting_for_human: "waiting for a person",
    stopping: "stopping",
    completed: "completed",
    failed: "failed",
    blocked: "blocked",
    cancelled: "cancelled",
  },
  asks: {
    prompt: "📝 Please check the prompt.",
    process: "⚙️ Please check the steps.",
    step: "🔍 Carry out this step?",
    unplanned_tool: "⚠️ This tool is in no approved step. Use it?",
    call: "🔍 An agent wants to use this tool. Allow it?",
    question: "❓ An agent has a question.",
    outcome: "⚠️ The answer of this call was lost. Did it take effect?",
    merge: "🔀 Merge the change of an agent?",
  },
  kinds: {
    prompt: "prompt",
    process: "steps",
    step: "human check",
    unplanned_tool: "unplanned tool",
    call: "tool call",
    question: "question",
    outcome: "outcome unknown",
    merge: "merge",
  },
  approval: {
    pending: "pending",
    approved: "approved",
    rejected: "rejected",
    superseded: "superseded",
    expired: "expired",
    cancelled: "cancelled",
  },
  accepted: (id) => `Accepted (${id}).`,
  sampleHint: (program, id) =>
    `💡 While it runs, press Ctrl-C, then b to block it; Ctrl-C again, then u to unblock it. Each step takes about 15 s.
   The same from another terminal:
   ${program} tasks ${id} block --reason "change the order"
   ${program} tasks ${id} unblock`,
  sampleCosts: (runner) =>
    `The sample task uses a model of ${runner}, which may cost money. Request it? [y / n] `,
  sampleNeedsYes: (runner) =>
    `The sample task uses a model of ${runner}, which may cost money. There is no terminal to ask in, so it was not requested. Add --yes to request it.`,
  daemonStarted: (url) => `Started a daemon: ${url}`,
  promptVersion: (version) => `📝 Prompt v${version}`,
  steps: (version) => `⚙️ Steps v${version}`,
  approvedByFlag: (title) => `✅ Approved because of --yes: ${title}`,
  decide: "Approve? [y = approve / n = reject] ",
  decideOrView: "Approve? [y = approve / n = reject / v = view all] ",
  chooseLetter: (letters) => `Type ${letters.join(" or ")} and press Enter.`,
  omitted: (lines) => `… ${lines} more ${lines === 1 ? "line" : "lines"}`,
  cut: "cells with … are cut",
  viewAll: "v shows everything",
  reason: "Reason: ",
  reasonNeeded: "Please give a reason; the next version follows it.",
  answer: "Answer: ",
  answerNeeded: "Type an answer and press Enter.",
  chooseAnswer: (count) => `Choose a number [1-${count}] `,
  chooseNumber: (count) => `Type a number from 1 to ${count}.`,
  outcome: "[d = it took effect / r = run it again / n = count it as failed] ",
  rejectStep: "And then? [f = fail the execution / s = continue without this step] ",
  tool: "Tool",
  arguments: "Arguments",
  request: "Request",
  progress: (done, total) => `Progress: ${done}/${total} done`,
  moreSteps: (count) => `… ${count} more ${count === 1 ? "step" : "steps"}`,
  decidedElsewhere(by, status) {
    switch (status) {
      case "approved":
        return `${capital(person(by))} approved it elsewhere.`;
      case "rejected":
        return `${capital(person(by))} rejected it elsewhere.`;
      case "expired":
        return "The time to decide has run out.";
      case "superseded":
        return "There is a newer version, so this no longer needs a decision.";
      case "cancelled":
      case "pending":
        return "The task was blocked or cancelled, so this no longer needs a decision.";
    }
  },
  decided: (status, title) =>
    status === "approved"
      ? `Approved: ${title}`
      : status === "rejected"
        ? `Rejected: ${title}`
        : `Recorded. Other people still have to decide: ${title}`,
  interrupted: {
    whatNow: "What now?",
    choices: {
      b: "b = block it (it can go on later)",
      u: "u = unblock it",
      c: "c = cancel the task",
      d: "d = detach (it goes on)",
      "": "Enter = go on watching",
    },
  },
  blockReasonNeeded: "Please give a reason; the agents and the records get it.",
  detached: (program, id) =>
    `Detached. The task goes on. To see it again: ${program} tasks ${id} follow`,
  cancelled: (count) => `Cancelled. ${stop(count)}`,
  blocked: (count) => `Blocked. ${stop(count)}`,
  unblocked: "Unblocked. It goes on where it was.",
  retried: "Retrying from the step that failed.",
  stopsAgents: (count) => `This stops ${agents(count)}. Go on? [y / n] `,
  unchanged: "Nothing was changed.",
  nobodyHere: (program, id) =>
    `Waiting for approval. Run \`${program} approvals ${id} approve\` in another terminal, or approve it in the dashboard. With --yes everything is approved.`,
  summary: "Summary",
  error: "Error",
  files: "Files",
  moreFiles: (count) => `… ${count} more`,
  duration: "Took",
  waitedForPeople: (duration) => `${duration} of it waiting for people`,
  dashboard: "Dashboard",
  details: "Full result",
  noTasks: (program) => `There are no tasks. Ask for one with ${program} run "…".`,
  noTasksMatch: "No task matches.",
  noApprovals: "Nothing is waiting for approval.",
  noAlerts: "There are no alerts yet.",
  alert: {
    pending: "waiting to be sent",
    sent: "sent",
    failed: "not sent",
    dropped: "dropped, a person had decided",
  },
  alertSent: (target, ms) => `${target}: sent (${ms} ms)`,
  alertNotSent: (target, why) => `${target}: not sent. ${why}`,
  reconnected: "Connected to the daemon again.",
  daemonRevived: (url) =>
    `The daemon had died, so a new one was started; everything goes on. Dashboard: ${url}`,
  daemonStopped: (command) =>
    `The daemon was stopped, so this ends here and no other one is started. To go on: ${command}`,
  blockedBy: (by, reason) => `⏸ Blocked by ${person(by)}${reason && `: ${reason}`}`,
  unblockedBy: (by) => `▶ Unblocked by ${person(by)}.`,
  person,
  requester: "Requester",
  headings: {
    id: "ID",
    status: "Status",
    title: "What",
    created: "Created",
    kind: "Kind",
    task: "Task",
    target: "Target",
  },
};
