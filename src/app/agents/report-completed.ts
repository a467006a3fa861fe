import type { AgentReport, ResultStatus } from "../../domain/agents/result.ts";
import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Execution, Verdict } from "../../domain/tasks/execution.ts";
import type { Core, Identity } from "../core.ts";
import { registerReport, requireOwn, untilStarted } from "./register-report.ts";
import { requireAgent } from "./require-agent.ts";

export type ReportCompleted = {
  readonly result: Verdict;
  readonly summary?: string;
  readonly response?: string;
  /** Required from a client without a token, which reports for an agent. */
  readonly agentId?: string;
};

export type CompletionReported = {
  readonly agentId: AgentId;
  readonly execution: Execution | undefined;
};

/**
 * The agent is done, or stops, or waits: settles its execution, clears its notifications and
 * registers its result. A repeated report changes nothing; a different one is refused.
 */
export async function reportCompleted(
  core: Core,
  identity: Identity,
  input: ReportCompleted,
): Promise<CompletionReported> {
  const agentId = speakerOf(identity, input.agentId);
  await untilStarted(core, agentId);
  const registered = await core.store.transaction(async (unit) => {
    const found = await requireAgent(unit, agentId);
    return registerReport(core, unit, found, reportOf(input), input.result);
  });
  return { agentId: registered.agent.id, execution: registered.execution };
}

function speakerOf(identity: Identity, given: string | undefined): string {
  if (identity.kind === "agent") {
    if (given !== undefined) requireOwn(identity, given, "report_completed");
    return identity.agentId;
  }
  if (given !== undefined) return given;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      "You are not an agent of Kuromajutsu, so the report needs the id of an agent.",
      "Give the agentId of the agent you report for.",
    ],
    ja: [
      "あなたは Kuromajutsu のエージェントではないので、報告にはエージェントの ID が要ります。",
      "どのエージェントの報告かを agentId で指定してください。",
    ],
  });
}

const STATUS_OF: Readonly<Record<Verdict, ResultStatus>> = {
  success: "success",
  failure: "failure",
  blocked: "cancelled",
  cancelled: "cancelled",
  waiting: "cancelled",
};

function reportOf({ result, summary = "", response }: ReportCompleted): AgentReport {
  return {
    status: STATUS_OF[result],
    outcome: result,
    summary,
    response: response ?? summary,
    editedFiles: [],
    createdFiles: [],
    errorMessage: null,
  };
}
