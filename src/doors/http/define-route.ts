import type { z } from "zod";
import type { Core, Identity } from "../../app/core.ts";
import type { PersonRole } from "../../domain/people/person.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export type RouteInput<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
};

export type Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  readonly method: Method;
  /** As OpenAPI writes it: `/api/agents/{id}`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly params: Params;
  /** Values are texts; use z.coerce for numbers. */
  readonly query: Query;
  /** z.undefined() where there is none. */
  readonly body: Body;
  readonly answer: Answer;
  readonly status?: 200 | 201 | 202;
  /** Who may ask. Left out: a viewer where it only reads, else an operator. */
  readonly needs?: PersonRole;
  readonly run: (
    core: Core,
    input: RouteInput<z.infer<Params>, z.infer<Query>, z.infer<Body>>,
    /** A person who may do this: the door has made sure. */
    identity: Identity,
  ) => Promise<z.infer<Answer>>;
};

/** A route as the door sees it: schemas applied, types no longer needed. */
export type AnyRoute = Omit<Route, "run"> & {
  handle(
    core: Core,
    input: RouteInput<unknown, unknown, unknown>,
    identity: Identity,
  ): Promise<unknown>;
};

/** One route is data: the door serves it, and the OpenAPI document is made from it. */
export function defineRoute<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(route: Route<Params, Query, Body, Answer>): AnyRoute {
  const { run: _run, ...data } = route;
  return {
    ...data,
    handle: (core, input, identity) =>
      route.run(
        core,
        {
          params: route.params.parse(input.params),
          query: route.query.parse(input.query),
          body: route.body.parse(input.body),
        },
        identity,
      ),
  };
}

export function neededRole({ method, needs }: Pick<Route, "method" | "needs">): PersonRole {
  return needs ?? (method === "get" ? "viewer" : "operator");
}
