import { z } from "zod";
import type { Core } from "../../app/core.ts";
import { nameCommands } from "../../base/command-name.ts";
import type { Locale, Texts } from "../../domain/locale.ts";
import { Refusal, type RefusalCode, refusalIn } from "../../domain/refusal.ts";
import { explainIssues } from "../explain-issues.ts";

const STATUS_OF: Partial<Record<RefusalCode, number>> = {
  GROUP_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  ROLE_NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  WORKER_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  EXECUTION_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  WORKSPACE_NOT_FOUND: 404,
  COMMENT_NOT_FOUND: 404,
  MERGE_NOT_FOUND: 404,
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
  STORE_UNAVAILABLE: 503,
  STORE_NOT_MIGRATED: 503,
  STORE_NOT_SUPPORTED: 503,
  GIT_UNAVAILABLE: 503,
  DISK_FULL: 507,
  INTERNAL_ERROR: 500,
};

export type Explained = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
};
/** The language is that of the person who made the request. */
export type ExplainError = (error: unknown, locale: Locale) => Explained;

const SEE_ROUTES: Texts = {
  en: "GET /api/openapi.json describes every route.",
  ja: "すべての経路の説明は GET /api/openapi.json にあります。",
};
export const UNEXPECTED = {
  en: { message: "Unexpected error.", hint: "The daemon's log says more." },
  ja: { message: "思いがけないエラーが起きました。", hint: "詳しくはデーモンのログにあります。" },
} as const;

/** Maps refusals, invalid input and unexpected errors to a response. */
export function explainError({
  log,
  environment,
}: Pick<Core, "log" | "environment">): ExplainError {
  return (error, locale) => {
    if (error instanceof z.ZodError) {
      const message = explainIssues(error, locale);
      return { status: 400, code: "INVALID_ARGUMENTS", message, hint: SEE_ROUTES[locale] };
    }
    if (error instanceof Refusal) {
      const { code, message, hint: written } = refusalIn(error, locale);
      const hint = nameCommands(written, environment.commandName);
      return { status: STATUS_OF[code] ?? 409, code, message, hint };
    }
    log.error("A request failed unexpectedly.", {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return { status: 500, code: "INTERNAL_ERROR", ...UNEXPECTED[locale] };
  };
}
