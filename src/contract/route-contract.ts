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
