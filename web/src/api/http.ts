import { fieldsOf, parseJson } from "../../../src/base/narrow.ts";
import {
  requestPath,
  type RouteAnswer,
  type RouteArguments,
  type RouteInput,
} from "../../../src/contract/route-contract.ts";
import type { ROUTE_CONTRACTS } from "../../../src/contract/routes/all.ts";
import { setSignedOut } from "../live/store.ts";
import { sendOnce } from "./send-once.ts";
import { type Heard, send } from "./send.ts";

/**
 * The client of the REST routes in src/contract/routes: `get("/api/tasks/{id}", { params: { id } })`.
 * Only the types of the contracts are imported, because their values would bring zod into the bundle.
 */
type Contract = (typeof ROUTE_CONTRACTS)[keyof typeof ROUTE_CONTRACTS];
type Method = Contract["method"];
type PathOf<M extends Method> = Extract<Contract, { method: M }>["path"];
type ContractOf<M extends Method, P extends string> = Extract<Contract, { method: M; path: P }>;
export type InputOf<M extends Method, P extends string> = RouteInput<ContractOf<M, P>> & {
  readonly signal?: AbortSignal;
};
export type AnswerOf<M extends Method, P extends PathOf<M>> = RouteAnswer<ContractOf<M, P>>;

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...input: RouteArguments<InputOf<M, P>>
) => Promise<RouteAnswer<ContractOf<M, P>>>;

export const get: Call<"get"> = (path, ...[input]) => request("get", path, input);
/** A route without a body refuses an empty object too: leave the body out. */
export const post: Call<"post"> = (path, ...[input]) => request("post", path, input);
export const put: Call<"put"> = (path, ...[input]) => request("put", path, input);
export const patch: Call<"patch"> = (path, ...[input]) => request("patch", path, input);
export const remove: Call<"delete"> = (path, ...[input]) => request("delete", path, input);

type Request = {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

/** The contract says what the daemon answers. Only development builds check it. */
async function request<Answer>(
  method: Method,
  route: string,
  { params, query, body, signal }: Request = {},
): Promise<Answer> {
  const path = requestPath(route, { ...(params && { params }), ...(query && { query }) });
  const text = body === undefined ? undefined : JSON.stringify(body);
  const heard = await (method === "post"
    ? sendOnce(path, text)
    : send(path, {
        method: method.toUpperCase(),
        ...(text !== undefined && { body: text }),
        ...(signal && { signal }),
      }));
  if (!heard.response.ok) {
    const problem = problemOf(heard);
    if (problem.code === "NOT_SIGNED_IN" && route !== "/api/login") setSignedOut();
    throw problem;
  }
  const answer = JSON.parse(heard.text);
  if (import.meta.env.DEV) {
    const { checkAnswer } = await import("./check-answer.ts");
    checkAnswer(method, route, answer);
  }
  return answer;
}

/** The daemon refused: a code that the catalogue translates, its own sentence, and what to do. */
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

function problemOf({ response, text: said }: Heard): ApiProblem {
  const fields = fieldsOf(parseJson(said));
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
