import type { WireTask } from "../../../src/contract/shapes/tasks.ts";
import { useLive } from "./store.ts";

type Tasks = ReadonlyMap<string, WireTask>;

const known = new WeakMap<Tasks, ReadonlyMap<string, WireTask>>();

/** Every task has its own group. */
export function tasksByGroup(tasks: Tasks): ReadonlyMap<string, WireTask> {
  const found = known.get(tasks);
  if (found) return found;
  const made = new Map([...tasks.values()].map((task) => [task.groupId, task]));
  known.set(tasks, made);
  return made;
}

export function useTaskOfGroup(groupId: string): WireTask | undefined {
  return useLive((state) => tasksByGroup(state.tasks).get(groupId));
}
