import type { z } from "zod";
import type { Core, Identity } from "../../app/core.ts";
import type { RouteContract } from "../../contract/route-contract.ts";
import type { PersonRole } from "../../domain/people/person.ts";
import { renameArguments, type OtherNames } from "../rename-arguments.ts";

type RouteInput<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
};

/** What the door adds to the contract of a route. */
type Serving<Input, Answer> = {
  /** The role a person needs. Left out: viewer for GET, operator for everything else. */
  readonly needs?: PersonRole;
  /** The answer is a secret, so it is not stored for a repeated request. */
  readonly isSecret?: boolean;
  /** Other names of members of the body; not in OpenAPI. */
  readonly otherNames?: OtherNames;
  /** `identity` is a person with the needed role: the door has checked it. */
  readonly run: (core: Core, input: Input, identity: Identity) => Promise<Answer>;
};

/** A contract together with what serves it, independent of the types of its shapes. */
export type Route = RouteContract & {
  readonly needs?: PersonRole;
  readonly isSecret?: boolean;
  handle(
    core: Core,
    input: RouteInput<unknown, unknown, unknown>,
    identity: Identity,
  ): Promise<unknown>;
};

export function defineRoute<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(
  contract: RouteContract<Params, Query, Body, Answer>,
  {
    needs,
    isSecret = false,
    otherNames = {},
    run,
  }: Serving<RouteInput<z.infer<Params>, z.infer<Query>, z.infer<Body>>, z.infer<Answer>>,
): Route {
  return {
    ...contract,
    ...(needs && { needs }),
    isSecret,
    handle: (core, input, identity) =>
      run(
        core,
        {
          params: contract.params.parse(input.params),
          query: contract.query.parse(input.query),
          body: contract.body.parse(renameArguments(input.body, otherNames)),
        },
        identity,
      ),
  };
}

export function neededRole({ method, needs }: Pick<Route, "method" | "needs">): PersonRole {
  return needs ?? (method === "get" ? "viewer" : "operator");
}
