import type { WireHealthResult } from "../../../../src/contract/health.ts";
import type { HealthWords } from "./texts.ts";

type Reasons = HealthWords["reasons"];

/** The daemon's own sentences in the reader's language; what a CLI said is left as it is. */
export function modelReason(result: WireHealthResult, words: Reasons): string | null {
  const { message, status } = result.modelValidation;
  if (status === "invalid") return words.noModel(result.runner, result.model);
  if (message === undefined) return null;
  if (message.startsWith("Not checked yet")) return words.notYet;
  if (message.includes("not installed")) return words.notInstalled;
  if (result.runner === "rehearsal") return words.anyName;
  if (message.startsWith("Not verifiable")) return words.notListed(result.runner);
  return message;
}

export function checkReason(result: WireHealthResult, words: Reasons): string | null {
  const { reason } = result.healthCheck;
  if (reason === undefined) return null;
  if (reason === "The model is invalid.") return words.invalid;
  if (reason === "Not checked yet.") return words.notYet;
  if (reason.startsWith("rehearsal: no model is")) return words.rehearsal;
  return reason;
}
