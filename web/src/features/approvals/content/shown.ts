import { isRecord, type Fields } from "../../../../../src/base/narrow.ts";
import type { WireStep } from "../../../api/task-detail.ts";

export function textIn(fields: unknown, name: string): string | null {
  const value = isRecord(fields) ? fields[name] : undefined;
  return typeof value === "string" ? value : null;
}

export function numberIn(fields: unknown, name: string): number | null {
  const value = isRecord(fields) ? fields[name] : undefined;
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
    requiresHumanCheck: isRecord(step) && step["requiresHumanCheck"] === true,
  }));
}
