import { setSignedOut } from "../live/store.ts";
import { sendOnce } from "./send-once.ts";
import { type Heard, send } from "./send.ts";

/** The daemon said no: a code the catalogue translates, its own sentence, and what to do. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly hint: string | null;

  constructor(status: number, code: string, detail: string, hint: string | null) {
    super(detail);
    this.name = "ApiProblem";
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

export function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function problemOf({ response, text: said }: Heard): ApiProblem {
  const body = parsed(said);
  const fields = isFields(body) ? body : {};
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : null;
  };
  return new ApiProblem(
    response.status,
    text("code") ?? `HTTP_${response.status}`,
    text("detail") ?? response.statusText,
    text("hint"),
  );
}

/** `Answer` is what the route's contract promises; the same repository makes both ends. */
export async function request<Answer>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await (method === "POST"
    ? sendOnce(path, text)
    : send(path, { method, ...(text !== undefined && { body: text }), ...(signal && { signal }) }));
  if (!answer.response.ok) {
    const problem = problemOf(answer);
    if (problem.code === "NOT_SIGNED_IN" && path !== "/api/login") setSignedOut();
    throw problem;
  }
  return JSON.parse(answer.text === "" ? "null" : answer.text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const get = <Answer>(path: string, signal?: AbortSignal) =>
  request<Answer>("GET", path, undefined, signal);
/** Routes without a body refuse an empty object too: leave it out. */
export const post = <Answer>(path: string, body?: unknown) => request<Answer>("POST", path, body);
export const put = <Answer>(path: string, body: unknown) => request<Answer>("PUT", path, body);
export const patch = <Answer>(path: string, body: unknown) => request<Answer>("PATCH", path, body);
export const remove = <Answer>(path: string) => request<Answer>("DELETE", path);
