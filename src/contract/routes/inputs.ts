import { z } from "zod";

/** Ids are looked up, never put into a file path; the longest real one is far shorter. */
export const idText = z.string().min(1).max(200);
export const byId = z.strictObject({ id: idText });

export const NO_QUERY = z.strictObject({});
export const NO_BODY = z.undefined();

/** Spread into the contract of a route, which then replaces what it does take. */
export const NO_INPUT = { params: z.strictObject({}), query: NO_QUERY, body: NO_BODY };
export const ONLY_ID = { ...NO_INPUT, params: byId };

export const cursor = z.string().max(1_000).optional().describe("nextCursor of the previous page");

export function limit(max: number, usual: number) {
  return z.coerce.number<string | number>().int().min(1).max(max).default(usual);
}
