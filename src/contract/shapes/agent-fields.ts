import { z } from "zod";
import type { PriceList } from "../../domain/agents/cost.ts";
import { REHEARSAL_WARNING, type AgentResult } from "../../domain/agents/result.ts";
import { agentSummaryShape, resultShape, wireResult } from "./agents.ts";

/** Fields of an agent that a caller can select in a list. */
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

/** Fields of a single agent, including those of its result. */
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
  readonly prices: PriceList;
  readonly rawOutput?: string;
};

/** The selected fields of one agent, without empty ones. */
export function agentRow(parts: ChosenParts, fields: ReadonlySet<AgentField>): AgentRow {
  const { summary, result } = parts;
  const wanted = new Set<string>(["agentId", ...fields]);
  // Shows that an agent waits for a key, or cannot report, and is not merely slow.
  if (fields.has("status")) for (const key of ["waitingFor", "degraded"]) wanted.add(key);
  const chosen = Object.entries(summary).filter(
    ([key, value]) => wanted.has(key) && value !== null,
  );
  const selected = result === null ? {} : chosenResult(result, parts, fields);
  return agentRowShape.parse({
    ...Object.fromEntries(chosen),
    ...(Object.keys(selected).length > 0 && { result: selected }),
  });
}

/** Members of a result that the row, run_agents or wait_agent contain already, or that are rarely needed. */
const SHOWN_ELSEWHERE = new Set([
  "agentId",
  "groupId",
  "role",
  "model",
  "duration_ms",
  "toolCallCount",
  "timestamp",
  "usage",
  "reportedModel",
  "spent",
  "retries",
]);

function chosenResult(
  result: AgentResult,
  { rawOutput, prices }: ChosenParts,
  fields: ReadonlySet<AgentField>,
): Record<string, unknown> {
  const wanted = new Set<string>(RESULT_FIELDS.filter((field) => fields.has(field)));
  if (wanted.size === 0) return {};
  const isWanted = (key: string) =>
    // Without the status, the response of a failed agent could be mistaken for a success.
    key === "status" ||
    wanted.has(key) ||
    (key === "spent" && wanted.has("usage")) ||
    (wanted.has("result") && !SHOWN_ELSEWHERE.has(key));
  const warnings = result.warnings.filter((warning) => !isRepeated(result, warning));
  const whole = Object.entries({ ...wireResult(result, prices), warnings, rawOutput });
  return Object.fromEntries(whole.filter(([key, value]) => isWanted(key) && isNotEmpty(value)));
}

/** The row has `rehearsal: true` instead of this warning. */
function isRepeated({ rehearsal }: AgentResult, warning: string): boolean {
  return rehearsal === true && warning === REHEARSAL_WARNING;
}

/** Empty texts, empty lists and exit code 0 are left out. */
function isNotEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== "" && value !== 0;
}
