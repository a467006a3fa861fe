import { z } from "zod";
import type { Core } from "../../app/core.ts";
import { nameCommands } from "../../base/command-name.ts";
import { Refusal, type RefusalCode } from "../../domain/refusal.ts";
import { oneLine } from "../../domain/text/one-line.ts";

const STATUS_OF: Partial<Record<RefusalCode, number>> = {
  GROUP_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  ROLE_NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  EXECUTION_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  UNKNOWN_TOOL: 404,
  APPROVAL_NOT_YOURS: 403,
  PERSON_NEEDED: 403,
  NOT_ALLOWED: 403,
  TOO_MANY_TRIES: 429,
  NOT_SIGNED_IN: 401,
  NOT_YOUR_AGENT: 403,
  INVALID_ARGUMENTS: 400,
  INVALID_CURSOR: 400,
  CONFIG_INVALID: 400,
  CONFIG_NOT_WRITABLE: 503,
  STORE_FULL: 507,
  STORE_READ_ONLY: 503,
  STORE_LOST: 503,
  INTERNAL_ERROR: 500,
};

export type Explained = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
};
export type ExplainError = (error: unknown) => Explained;

/** Maps refusals, invalid input and unexpected errors to a response. */
export function explainError({
  log,
  environment,
}: Pick<Core, "log" | "environment">): ExplainError {
  return (error) => {
    if (error instanceof z.ZodError) {
      const message = oneLine(z.prettifyError(error));
      const hint = "GET /api/openapi.json describes every route.";
      return { status: 400, code: "INVALID_ARGUMENTS", message, hint };
    }
    if (error instanceof Refusal) {
      const { code, message } = error;
      const hint = nameCommands(error.hint, environment.commandName);
      return { status: STATUS_OF[code] ?? 409, code, message, hint };
    }
    log.error("A request failed unexpectedly.", {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    const hint = "The daemon's log says more.";
    return { status: 500, code: "INTERNAL_ERROR", message: "Unexpected error.", hint };
  };
}
