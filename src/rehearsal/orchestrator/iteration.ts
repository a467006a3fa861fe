import type { RehearsalTexts } from "../texts.ts";

export type AgentRequest = { readonly role: string; readonly prompt: string };

export type SubAgentResult = {
  readonly agentId: string;
  /** The status of the result; the text `unknownStatus` if it cannot be read. */
  readonly status: string;
  readonly summary: string;
};

export type Iteration = {
  readonly number: number;
  readonly requests: readonly AgentRequest[];
  readonly results: readonly SubAgentResult[];
};

export function isSuccess({ status }: SubAgentResult): boolean {
  return status === "success";
}

/** 「反復 1: a=success、b=failure」 */
export function describe({ number, results }: Iteration, texts: RehearsalTexts): string {
  const each = results.map(({ agentId, status }) => `${agentId}=${status}`);
  return texts.iteration(number, texts.list(each));
}
