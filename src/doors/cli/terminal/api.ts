import { z } from "zod";
import { CHANGE_HEADER } from "../../../contract/http-headers.ts";
import { approvalShape } from "../../../contract/shapes/approvals.ts";
import { taskShape } from "../../../contract/shapes/tasks.ts";
import { visibleText } from "../../../contract/visible-text.ts";

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string().default(""),
  hint: z.string().optional(),
});

/** The daemon has refused the request; the message says why and what to do. */
export class Problem extends Error {
  readonly code: string;

  constructor({ code, detail, hint }: z.infer<typeof problemShape>) {
    super(visibleText(hint ? `${detail}\n  → ${hint}` : detail));
    this.name = "Problem";
    this.code = code;
  }
}

/** The daemon does not answer; it may come back. */
export class Unreachable extends Error {}

export type Api = {
  readonly url: string;
  readonly token: string | undefined;
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>>;
  send<Shape extends z.ZodType>(
    method: "POST" | "PATCH",
    path: string,
    body: unknown,
    shape: Shape,
  ): Promise<z.infer<Shape>>;
};

/** A client for the REST API. */
export function createApi(url: string, token: string | undefined): Api {
  async function ask<Shape extends z.ZodType>(
    method: string,
    path: string,
    shape: Shape,
    body?: unknown,
  ): Promise<z.infer<Shape>> {
    const headers = {
      [CHANGE_HEADER]: "1",
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(new URL(path, url), { method, headers, ...sent }).catch(
      (error: unknown) => {
        throw new Unreachable(`The daemon at ${url} does not answer.`, { cause: error });
      },
    );
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return shape.parse(answer);
    const problem = problemShape.safeParse(answer);
    if (problem.success) throw new Problem(problem.data);
    throw new Error(`${method} ${path}: HTTP ${response.status}`);
  }
  return {
    url,
    token,
    get: (path, shape) => ask("GET", path, shape),
    send: (method, path, body, shape) => ask(method, path, shape, body),
  };
}

const draftShape = z.looseObject({
  version: z.number(),
  status: z.string(),
  approvalId: z.string().nullable(),
});
const stepShape = z.looseObject({
  stepId: z.string(),
  order: z.number(),
  title: z.string(),
  server: z.string().nullable(),
  tool: z.string(),
  requiresHumanCheck: z.boolean(),
});
const executionShape = z.looseObject({
  executionId: z.string(),
  processId: z.string(),
  attempt: z.number(),
  status: z.string(),
  summary: z.string().nullable(),
  error: z.string().nullable(),
  elapsed_ms: z.number(),
  steps: z.array(
    z.looseObject({
      stepId: z.string(),
      status: z.string(),
      elapsed_ms: z.number(),
      error: z.string().nullable(),
    }),
  ),
});

/** The part of GET /api/tasks/{id} that the terminal shows. */
export const shownTask = taskShape.extend({
  prompts: z.array(draftShape.extend({ promptId: z.string(), content: z.string() })),
  processes: z.array(draftShape.extend({ processId: z.string(), steps: z.array(stepShape) })),
  executions: z.array(executionShape),
  approvals: z.array(approvalShape),
});
export type ShownTask = z.infer<typeof shownTask>;
