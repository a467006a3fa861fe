import type { Fields } from "../../base/narrow.ts";
import type { ExecutionStep } from "../../domain/tasks/drafting.ts";
import { inputsOf, isFromResults } from "../data-flow/fill.ts";
import { findInResults } from "../data-flow/offers.ts";
import { withoutRefs } from "../data-flow/schema.ts";
import type { TextFacts } from "../data-flow/text-facts.ts";
import type { Directive } from "../directives.ts";
import { isVerb } from "../run.ts";

export type Filled = {
  readonly args: Readonly<Record<string, unknown>>;
  /** Required arguments without a value: nothing is made up for them. */
  readonly missing: readonly string[];
};

/**
 * In this order: values of directives, certain values, results of earlier steps, fallback values.
 */
export function fillArguments(
  step: ExecutionStep,
  results: readonly Fields[],
  facts: TextFacts,
  directives: readonly Directive[],
): Filled {
  const args = new Map<string, unknown>();
  const missing: string[] = [];
  for (const input of inputsOf(withoutRefs(step.inputSchema), facts)) {
    const found = isFromResults(input) ? findInResults(results, input) : undefined;
    const value = input.sure ?? found ?? input.weak;
    if (value !== undefined) args.set(input.name, value);
    else if (input.isRequired) missing.push(input.name);
  }
  for (const directive of directives) {
    if (isVerb(directive, "arg") && directive.step === step.id) {
      args.set(directive.name, directive.value);
    }
  }
  return {
    args: Object.fromEntries(args),
    missing: missing.filter((name) => !args.has(name)),
  };
}
