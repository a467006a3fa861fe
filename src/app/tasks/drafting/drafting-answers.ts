import { z } from "zod";
import { MAX_TASK_TYPE_CHARS, TASK_PRIORITIES } from "../../../domain/tasks/task.ts";

/** What the roles that draft must answer. Members nobody asked for are left out, not refused. */
const text = (most: number) => z.string().trim().min(1).max(most);
const line = (most: number) => text(most).transform((value) => value.replaceAll(/\s+/g, " "));

export const analysisAnswer = z.object({
  title: line(150),
  description: text(4_000),
  priority: z.enum(TASK_PRIORITIES),
  type: line(MAX_TASK_TYPE_CHARS),
});

export const planAnswer = z.object({ content: text(20_000) });

const stepAnswer = z.object({
  title: line(200),
  tool: z.string().trim().min(1).max(300),
  requiresHumanCheck: z.boolean(),
  order: z.number().optional(),
});

export const designAnswer = z.object({
  steps: z.array(stepAnswer).min(1).max(50).transform(inOrder),
});

/** The order they are written in, unless every step says its own. */
function inOrder(steps: readonly z.infer<typeof stepAnswer>[]) {
  const isNumbered = steps.every(({ order }) => order !== undefined);
  const sorted = isNumbered ? steps.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)) : steps;
  return sorted.map(({ title, tool, requiresHumanCheck }) => ({ title, tool, requiresHumanCheck }));
}

const MOST_ERRORS = 20;

export type AnswerRead<Answer> =
  | { readonly answer: Answer }
  | { readonly errors: readonly [string, ...string[]] };

/** The answer, or sentences that say what is wrong with it. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  words: string,
): AnswerRead<z.infer<Schema>> {
  const value = readJsonAnswer(words);
  if (value === undefined) {
    return { errors: ["There is no JSON object in the answer, or it is not valid JSON."] };
  }
  const read = schema.safeParse(value);
  if (read.success) return { answer: read.data };
  const [first = "The answer has another form.", ...others] = read.error.issues
    .slice(0, MOST_ERRORS)
    .map(({ path, message }) => `${path.join(".") || "(the object)"}: ${message}`);
  return { errors: [first, ...others] };
}

/** Braces in the words before the object may not match; each such start costs one more look. */
const MOST_STARTS = 32;

/**
 * The JSON object in an answer that may have words and fences around it: the last one, because
 * models think aloud before they answer. Linear in the length of the text.
 */
export function readJsonAnswer(words: string): Readonly<Record<string, unknown>> | undefined {
  const whole = parseObject(words);
  if (whole) return whole;
  let found: Readonly<Record<string, unknown>> | undefined;
  let open = 0;
  let start = nextStart(words, 0);
  while (start >= 0 && open < MOST_STARTS) {
    const end = endOfObject(words, start);
    if (end !== undefined) found = parseObject(words.slice(start, end)) ?? found;
    else open++;
    // What is inside an object with a mistake is not the answer either.
    start = nextStart(words, end ?? start + 1);
  }
  return found;
}

function parseObject(words: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(words);
    return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A brace with a quote behind it: an object begins so, a brace in a sentence does not. */
function nextStart(words: string, from: number): number {
  const start = /\{\s*"/g;
  start.lastIndex = from;
  return start.exec(words)?.index ?? -1;
}

/** Just after the brace that closes the one at `start`; braces inside strings do not count. */
function endOfObject(words: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < words.length; at++) {
    const char = words[at];
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
