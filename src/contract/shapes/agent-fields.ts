import { z } from "zod";
import { REHEARSAL_WARNING, type AgentResult } from "../../domain/agents/result.ts";
import { agentSummaryShape, resultShape, wireResult } from "./agents.ts";

/** What a caller can choose to read of an agent in a list. */
export const LIST_FIELDS = [
  "groupId",
  "role",
  "model",
  "status",
  "startedAt",
  "elapsed_ms",
  "toolCallCount",
] as const;

const RESULT_FIELDS = ["result", "summary", "response", "usage", "rawOutput"] as const;

/** The same of a single agent, and of its result: all of it or some parts. */
export const AGENT_FIELDS = [...LIST_FIELDS, ...RESULT_FIELDS] as const;
export type AgentField = (typeof AGENT_FIELDS)[number];

export const chosenResultShape = resultShape.partial().extend({
  rawOutput: z.string().optional().describe("The end of what its CLI wrote"),
});

export const agentRowShape = agentSummaryShape
  .partial()
  .required({ agentId: true })
  .extend({ result: chosenResultShape.optional() });
export type AgentRow = z.infer<typeof agentRowShape>;

export type ChosenParts = {
  readonly summary: z.infer<typeof agentSummaryShape>;
  readonly result: AgentResult | null;
  readonly rawOutput?: string;
};

/** The chosen fields of one agent, without those that have nothing to say. */
export function agentRow(parts: ChosenParts, fields: ReadonlySet<AgentField>): AgentRow {
  const { summary, result } = parts;
  const wanted = new Set<string>(["agentId", ...fields]);
  // A queued agent that waits for a person to bring its key must not look merely slow.
  if (fields.has("status")) wanted.add("waitingFor");
  const chosen = Object.entries(summary).filter(
    ([key, value]) => wanted.has(key) && value !== null,
  );
  const told = result === null ? {} : chosenResult(result, parts.rawOutput, fields);
  return agentRowShape.parse({
    ...Object.fromEntries(chosen),
    ...(Object.keys(told).length > 0 && { result: told }),
  });
}

/** Members of a result that the row, run_agents or wait_agent have said already, or few ask for. */
const TOLD_ELSEWHERE = new Set([
  "agentId",
  "groupId",
  "role",
  "model",
  "duration_ms",
  "toolCallCount",
  "timestamp",
  "usage",
]);

function chosenResult(
  result: AgentResult,
  rawOutput: string | undefined,
  fields: ReadonlySet<AgentField>,
): Record<string, unknown> {
  const wanted = new Set<string>(RESULT_FIELDS.filter((field) => fields.has(field)));
  if (wanted.size === 0) return {};
  const isWanted = (key: string) =>
    // Without it, the response of an agent that failed could be taken for a success.
    key === "status" || wanted.has(key) || (wanted.has("result") && !TOLD_ELSEWHERE.has(key));
  const warnings = result.warnings.filter((warning) => !isRepeated(result, warning));
  const whole = Object.entries({ ...wireResult(result), warnings, rawOutput });
  return Object.fromEntries(whole.filter(([key, value]) => isWanted(key) && saysSomething(value)));
}

/** `rehearsal: true` in the same row says it in fewer words. */
function isRepeated({ rehearsal }: AgentResult, warning: string): boolean {
  return rehearsal === true && warning === REHEARSAL_WARNING;
}

/** No text, no files and exit code 0 are what a reader expects anyway. */
function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== "" && value !== 0;
}
