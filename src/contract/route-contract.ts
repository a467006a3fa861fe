import type { z } from "zod";

/** What goes over the wire for one REST route. The server adds what it does, clients call it. */
export type RouteContract<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** In the syntax of OpenAPI: `/api/agents/{id}`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly params: Params;
  /** Values arrive as text; use z.coerce for numbers. */
  readonly query: Query;
  /** z.undefined() for a route without a body. */
  readonly body: Body;
  readonly answer: Answer;
  /** Status code of success; 200 if left out. */
  readonly status?: 200 | 201 | 202;
};

/** What a client passes to a route; parts without a required member may be left out. */
export type RouteInput<Contract extends RouteContract> = Part<
  "params",
  z.input<Contract["params"]>
> &
  Part<"query", z.input<Contract["query"]>> &
  Part<"body", z.input<Contract["body"]>>;

/** The input as the last argument of a call; it may be left out if no part is required. */
export type RouteArguments<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

export type RouteAnswer<Contract extends RouteContract> = z.output<Contract["answer"]>;

/** zod infers an object without members as Record<string, never>. */
type IsOptional<Value> = undefined extends Value
  ? true
  : string extends keyof Value
    ? true
    : Partial<Value> extends Value
      ? true
      : false;

type Part<Name extends string, Value> =
  IsOptional<Value> extends true
    ? { readonly [key in Name]?: Value }
    : { readonly [key in Name]: Value };

/** The path of a request: parameters filled in, query values appended unless undefined. */
export function requestPath(
  path: string,
  { params, query }: { readonly params?: object; readonly query?: object },
): string {
  const given = new Map(Object.entries(params ?? {}));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.get(name))),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
