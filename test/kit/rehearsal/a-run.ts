import { readAnswer } from "../../../src/rehearsal/answer.ts";
import { readPrompt } from "../../../src/rehearsal/read-prompt.ts";
import type { Run } from "../../../src/rehearsal/run.ts";
import { createStream } from "../../../src/rehearsal/stream.ts";
import { TEXTS } from "../../../src/rehearsal/texts.ts";
import { fleetTools, type Script } from "./fleet.ts";
import { toResult, type ScriptedTool } from "./tool-daemon.ts";

/** A run in this process, without child or HTTP, with the same scripted tools and `more`. */
export function aRun(
  prompt: string,
  over: Script = {},
  more: Readonly<Record<string, ScriptedTool>> = {},
) {
  const scripted: Readonly<Record<string, ScriptedTool>> = { ...fleetTools(over), ...more };
  const calls: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[] = [];
  const said: string[] = [];
  const callsOf = (name: string) => calls.filter((call) => call.name === name).map((c) => c.args);
  const read = readPrompt(prompt);
  const tools: Run["tools"] = {
    isKnown: true,
    async call(name, args) {
      calls.push({ name, args });
      const answer = await scripted[name]?.answer(args, callsOf(name).length);
      return readAnswer(toResult(answer ?? "no such tool"));
    },
    another: () => tools,
    close: () => Promise.resolve(),
  };
  const run: Run = {
    prompt,
    read,
    texts: TEXTS[read.language],
    model: "any",
    isReadOnly: false,
    mcpUrl: undefined,
    token: undefined,
    agentId: undefined,
    stream: createStream((lines) => said.push(lines)),
    tools,
    touched: { created: new Set(), edited: new Set() },
    diary: { notifications: [], events: [], answers: [], failures: new Map(), hasReported: false },
  };
  return { run, calls, callsOf, said };
}
