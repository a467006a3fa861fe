import { z } from "zod";
import type { AgentId, GroupId, TaskId } from "../../domain/ids.ts";

/**
 * Which ids an event always has. They are columns in the store and members of `data` on the wire,
 * because the first clients read `{type, data}` and nothing else.
 */
const SUBJECTS = {
  agent: { agentId: z.string(), groupId: z.string().optional(), at: z.string() },
  group: { groupId: z.string(), agentId: z.string().optional(), at: z.string() },
  any: { groupId: z.string().optional(), agentId: z.string().optional(), at: z.string() },
} as const;

export type EventIds = {
  readonly agent: { readonly agentId: AgentId; readonly groupId: GroupId | null };
  readonly group: { readonly agentId: AgentId | null; readonly groupId: GroupId };
  readonly any: { readonly agentId: AgentId | null; readonly groupId: GroupId | null };
};

/** `stored`: in the events table. `transient`: only for subscribers of this process. */
export type EventKeeping = "stored" | "transient" | "both";

/** Counts the events of one process; `id` is the number of a stored event. */
export const seqShape = z.int().nonnegative();

/** One member of the union of events: its name, what it means, and the shape of its data. */
export function defineEvent<
  Type extends string,
  Subject extends keyof EventIds,
  Keeping extends EventKeeping,
  Data extends z.ZodRawShape,
>(type: Type, subject: Subject, keeping: Keeping, about: string, fields: Data) {
  return {
    type,
    subject,
    keeping,
    about,
    data: z.object(fields),
    wire: z.object({
      seq: seqShape,
      id: z.int().optional(),
      type: z.literal(type),
      data: z.object(SUBJECTS[subject]).extend(fields),
    }),
  };
}

/** Columns that every event has besides its ids. */
export type EventColumns = {
  /** Finds the events of a task in the store; on the wire it is in `data`, where it matters. */
  readonly taskId?: TaskId | null;
  readonly at: number;
};
