import { NOTICE_SAMPLES, VIEW_SAMPLES } from "./answer-samples.ts";
import { ASK_SAMPLES, EXECUTION_SAMPLES } from "./execution-samples.ts";
import { GROUP_SAMPLES } from "./group-samples.ts";
import type { Sample } from "./sample.ts";
import { DRAFT_SAMPLES, TASK_SAMPLES } from "./task-samples.ts";

/** Every card in every state, every view and every answer. */
export const SAMPLES: readonly Sample[] = [
  ...TASK_SAMPLES,
  ...DRAFT_SAMPLES,
  ...EXECUTION_SAMPLES,
  ...ASK_SAMPLES,
  ...GROUP_SAMPLES,
  ...VIEW_SAMPLES,
  ...NOTICE_SAMPLES,
];
