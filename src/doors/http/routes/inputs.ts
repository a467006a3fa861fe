import { z } from "zod";

/** Ids are looked up, never put into a path; the longest real one is far shorter. */
export const idText = z.string().min(1).max(200);
export const byId = z.strictObject({ id: idText });

export const NO_PARAMS = z.strictObject({});
export const NO_QUERY = z.strictObject({});
export const NO_BODY = z.undefined();

export const cursor = z.string().max(1_000).optional().describe("nextCursor of the page before");

export function limit(most: number, usual: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}
