import type { TaskStatus } from "../columns.ts";

/** What is dragged says its status by its type: only so can a target know before the drop. */
export const typeOf = (status: TaskStatus) => `kuromajutsu/${status}`;
