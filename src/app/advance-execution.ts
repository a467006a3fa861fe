import type { Task } from "../domain/task.ts";
import type { Core } from "./core.ts";

/** Does what is next for the task's newest execution; can be called at any time, any number of times. */
export async function advanceExecution(_core: Core, _task: Task): Promise<void> {}
