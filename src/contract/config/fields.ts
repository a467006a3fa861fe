import * as z from "zod";
import { LABEL } from "../../domain/workers/labels.ts";

/** Building blocks of the sections. The `error` of a field is what the loader prints after "expected". */

/** Node's timers fire immediately above this value. */
export const MAX_TIMER_MS = 2_147_483_647;

export function wholeNumber(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function oneOf<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, { error: `one of ${choices.join(", ")}` });
}

/** Scheme, host and port as a browser shows them, without a path. */
export function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

export function yesOrNo() {
  return z.boolean({ error: "true or false" });
}

export function text(error = "a text that is not empty") {
  return z.string({ error }).regex(/\S/, { error });
}

/** A section whose keys are all commented out is null in YAML; it gets the defaults. */
export function section<Shape extends z.core.$ZodShape>(of: z.ZodObject<Shape, z.core.$strict>) {
  return z.preprocess((value) => value ?? {}, of).prefault({});
}

export function listOrNull<Item extends z.ZodType>(item: Item, error: string) {
  return z.preprocess((value) => value ?? [], z.array(item, { error }));
}

export function list<Item extends z.ZodType>(item: Item, error: string) {
  return listOrNull(item, error).prefault([]);
}

export const ID_RULE =
  "an id of lower-case letters, digits and hyphens, at most 40 characters, beginning with a letter or a digit";
export const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,39}$/;

const LABEL_RULE =
  "a label such as gpu or repo:app: lower-case letters, digits and . _ : / -, at most 63 characters";
export const label = z.string({ error: LABEL_RULE }).regex(LABEL, { error: LABEL_RULE });
