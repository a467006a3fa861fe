import type { ExecutionInput } from "../../../src/domain/tasks/drafting.ts";
import { execute } from "../../../src/rehearsal/executor/execute.ts";
import { aRun } from "./a-run.ts";
import { anExecuting, aTaskPrompt } from "./task-prompts.ts";
import type { ScriptedTool } from "./tool-daemon.ts";

export const NOW = new Date(2026, 10, 15);
export const PARCELS = [{ id: "p1" }, { id: "p2" }];
const LIST: ScriptedTool = { answer: () => ({ parcels: PARCELS, notification: undefined }) };
const STORE: ScriptedTool = { answer: () => ({ written: 2 }) };

/** A rehearsed execution against scripted tools; `play` runs it. */
export function aPlay(
  over: Partial<ExecutionInput> = {},
  more: Readonly<Record<string, ScriptedTool>> = {},
) {
  const report_progress = { answer: () => ({ ok: true }) };
  const tools = { list: LIST, store: STORE, report_progress, ...more };
  const played = aRun(aTaskPrompt(anExecuting(over)), {}, tools);
  const input = played.run.read.task?.input;
  if (input?.stage !== "execution") throw new Error("The input was not read.");
  const names = () => played.calls.map(({ name }) => name);
  return { ...played, input, names, play: () => execute(played.run, input, NOW) };
}
