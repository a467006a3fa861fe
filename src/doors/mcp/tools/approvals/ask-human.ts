import { z } from "zod";
import {
  askHuman as ask,
  MAX_CHOICE_CHARS,
  MAX_CHOICES,
  MAX_QUESTION_CHARS,
} from "../../../../app/gateway/ask-human.ts";
import { defineTool } from "../../define-tool.ts";

export const askHuman = defineTool({
  name: "ask_human",
  description:
    "Ask a person and wait for the answer. On APPROVAL_PENDING call again with the same question; on PARKED report_completed(result: waiting) and end.",
  callers: ["orchestrator", "executor", "agent"],
  hints: { readOnly: false, idempotent: true },
  input: z.strictObject({
    question: z.string().max(MAX_QUESTION_CHARS),
    choices: z
      .array(z.string().max(MAX_CHOICE_CHARS))
      .max(MAX_CHOICES)
      .optional()
      .describe("Left out: a free answer"),
  }),
  output: z.object({ answer: z.string(), answeredBy: z.string() }),
  run: (call, { question, choices = [] }) =>
    ask(call.core, call.identity, {
      question,
      choices,
      signal: call.signal,
      patienceMs: call.patienceMs,
      beat: (message) => call.beat(message),
    }),
});
