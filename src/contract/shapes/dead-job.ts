import { z } from "zod";

export const deadJobShape = z.object({
  jobId: z.string(),
  kind: z
    .string()
    .describe("agent_settled, question_answered or task_due; a newer server may store others"),
  subjectId: z.string().describe("The agent, approval or task that it is about"),
  givenUpAt: z.iso.datetime(),
  tries: z.int(),
  error: z.string().describe("The last error, shortened; empty: unknown"),
});
export type WireDeadJob = z.infer<typeof deadJobShape>;
