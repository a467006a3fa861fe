import type { StepId } from "../ids.ts";
import type { StepStatus } from "./execution.ts";
import type { TaskPriority } from "./task.ts";

/**
 * The input of an internal role: one JSON object in a fenced block of its prompt, after the
 * instructions. A model reads the JSON as it is; the rehearsal parses it. Texts of people and of
 * upstream servers appear only inside this JSON.
 */
export type DraftInput = AnalysisInput | PlanInput | DesignInput | ExecutionInput;

type Common = {
  readonly locale: "ja" | "en";
  /** The request, word for word. */
  readonly request: string;
};

/** An answer that was not accepted, and why. */
export type SentBack = { readonly answer: string; readonly errors: readonly string[] };

export type Rejection = { readonly version: number; readonly reason: string };

/** A tool that steps may name. */
export type CatalogueTool = {
  /** `server/tool`, or `agent:<role>`. */
  readonly tool: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  /** The server's own hints, not to be trusted: readOnlyHint, destructiveHint, … */
  readonly annotations: Readonly<Record<string, unknown>> | null;
};

export type AnalysisInput = Common & {
  readonly stage: "analysis";
  readonly types: readonly string[];
  /** Chosen by the requester: must be kept. */
  readonly priority: TaskPriority | null;
  readonly sentBack: SentBack | null;
};

export type TaskFacts = {
  readonly title: string;
  readonly description: string;
  readonly priority: TaskPriority;
  readonly type: string;
};

export type PlanInput = Common & {
  readonly stage: "planning";
  readonly task: TaskFacts;
  readonly catalogue: readonly CatalogueTool[];
  /** Every rejection of a prompt or a process of this task, oldest first. */
  readonly rejections: readonly Rejection[];
  /** The last rejected draft. */
  readonly previous: string | null;
  readonly sentBack: SentBack | null;
};

export type DesignInput = Common & {
  readonly stage: "design";
  readonly task: TaskFacts;
  /** The approved prompt. */
  readonly prompt: string;
  readonly catalogue: readonly CatalogueTool[];
  readonly rejections: readonly Rejection[];
  readonly previous: readonly DesignedStep[] | null;
  readonly sentBack: SentBack | null;
};

export type DesignedStep = {
  readonly title: string;
  readonly tool: string;
  readonly requiresHumanCheck: boolean;
};

export type ExecutionInput = Common & {
  readonly stage: "execution";
  readonly task: TaskFacts;
  readonly prompt: string;
  readonly attempt: number;
  readonly steps: readonly ExecutionStep[];
  /** Calls of unplanned tools, oldest first: `{tool, args, structuredContent?, text?}`. */
  readonly unplanned: readonly Readonly<Record<string, unknown>>[];
  /** People's decisions and answers while no executor was running, oldest first. */
  readonly decisions: readonly string[];
};

export type ExecutionStep = {
  readonly id: StepId;
  readonly order: number;
  readonly title: string;
  /** `server/tool`, or `agent:<role>`. */
  readonly tool: string;
  /** The name of the tool in tools/list. */
  readonly call: string;
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  readonly requiresHumanCheck: boolean;
  readonly status: StepStatus;
  /** Answers of its calls, oldest first: `{args, structuredContent?, text?}`. */
  readonly results: readonly Readonly<Record<string, unknown>>[];
};

/** The answers of the internal roles: a JSON object in the `response` of report_result. */
export type AnalysisAnswer = TaskFacts;
export type PlanAnswer = { readonly content: string };
export type DesignAnswer = { readonly steps: readonly DesignedStep[] };

export const INPUT_FENCE = "```json kuromajutsu";

/**
 * The newlines in the JSON are escaped, so none of its lines can end the block or begin another
 * one.
 */
export function inputBlock(input: DraftInput): string {
  return `${INPUT_FENCE}\n${JSON.stringify(input)}\n\`\`\``;
}

/** The JSON text of the last such block, if there is one. */
export function readInputBlock(prompt: string): string | undefined {
  const start = prompt.lastIndexOf(`\n${INPUT_FENCE}\n`);
  if (start < 0) return undefined;
  const [line] = prompt.slice(start + INPUT_FENCE.length + 2).split("\n", 1);
  return line;
}
