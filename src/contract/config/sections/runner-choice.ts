import * as z from "zod";
import { FALLBACK_RUNNERS, RUNNER_CHOICES } from "../defaults.ts";
import { oneOf } from "../fields.ts";

const REASONS: Readonly<Record<string, string>> = {
  auto: " (`auto` tries all of them, so it stands alone)",
  rehearsal: " (a rehearsal does no work, so it cannot replace a CLI)",
};

const fallbackRunner = z.enum(FALLBACK_RUNNERS, {
  error: ({ input }) =>
    `one of ${FALLBACK_RUNNERS.join(", ")}${REASONS[typeof input === "string" ? input : ""] ?? ""}`,
});

const fallbackList = z
  .array(fallbackRunner, { error: "a list of runners" })
  .min(1, { error: "at least one runner" })
  .superRefine((ids, context) => {
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) === index) continue;
      const message = "each runner once in a fallback list";
      context.addIssue({ code: "custom", path: [index], message, input: id });
    }
  })
  .readonly();

/** A runner of a role or of all agents. */
export const runnerChoice = z.union([oneOf(RUNNER_CHOICES), fallbackList], {
  error: "a runner, auto, or a list of runners",
});
