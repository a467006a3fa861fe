import type { TaskStatus } from "../columns.ts";

/** The drag type carries the status, because a target cannot read the data before the drop. */
export const typeOf = (status: TaskStatus) => `kuromajutsu/${status}`;
