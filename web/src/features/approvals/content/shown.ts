import type { WireStep } from "../../../api/task-detail.ts";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textIn(fields: unknown, name: string): string | null {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === "string" ? value : null;
}

export function numberIn(fields: unknown, name: string): number | null {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === "number" ? value : null;
}

/** The steps of an approval's `shown`, where a step has an `id` instead of a `stepId`. */
export function stepsIn(shown: Fields): readonly WireStep[] {
  const { steps } = shown;
  if (!Array.isArray(steps)) return [];
  return steps.map((step: unknown, index) => ({
    stepId: textIn(step, "id") ?? `step-${index + 1}`,
    order: numberIn(step, "order") ?? index + 1,
    title: textIn(step, "title") ?? "",
    server: textIn(step, "server"),
    tool: textIn(step, "tool") ?? "",
    requiresHumanCheck: isFields(step) && step["requiresHumanCheck"] === true,
  }));
}
