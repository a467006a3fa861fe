import { z } from "zod";
import { MAX_TASK_TYPE_CHARS, TASK_PRIORITIES } from "../../../domain/tasks/task.ts";
import { readJsonAnswer } from "../../../domain/text/json-answer.ts";

/** The answers of the drafting roles. Unknown members are ignored. */
const text = (max: number) => z.string().trim().min(1).max(max);
const line = (max: number) => text(max).transform((value) => value.replaceAll(/\s+/g, " "));

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

/** Steps keep the order they are written in, unless every step has an `order`. */
function inOrder(steps: readonly z.infer<typeof stepAnswer>[]) {
  const isNumbered = steps.every(({ order }) => order !== undefined);
  const sorted = isNumbered ? steps.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)) : steps;
  return sorted.map(({ title, tool, requiresHumanCheck }) => ({ title, tool, requiresHumanCheck }));
}

const MAX_ERRORS = 20;

export type AnswerRead<Answer> =
  | { readonly answer: Answer }
  | { readonly errors: readonly [string, ...string[]] };

/** The answer, or a sentence for each error in it. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  response: string,
): AnswerRead<z.infer<Schema>> {
  const value = readJsonAnswer(response);
  if (value === undefined) {
    return { errors: ["There is no JSON object in the answer, or it is not valid JSON."] };
  }
  const read = schema.safeParse(value);
  if (read.success) return { answer: read.data };
  const [first = "The answer does not match the schema.", ...others] = read.error.issues
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => `${path.join(".") || "(the object)"}: ${message}`);
  return { errors: [first, ...others] };
}
