import { z } from "zod";
import type { Core, Identity } from "../../app/core.ts";

/**
 * The callers that see and may use a tool. `client` is an MCP client that we did not start, with or
 * without a person's token; `person` is one with a token. An `orchestrator` is an agent that leads
 * others, an `executor` one that carries out an approved process, an `agent` any other.
 */
export const CALLERS = ["client", "orchestrator", "executor", "agent", "person"] as const;
export type Caller = (typeof CALLERS)[number];

/** Everything a tool may know about the call it serves. */
export type ToolCall = {
  readonly core: Core;
  readonly identity: Identity;
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
  /** The longest this caller's client will sit still for one call. */
  readonly patienceMs: number;
  /** Tells a client that asked for progress that the call is alive. */
  beat(message: string): void;
};

export type Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> = {
  readonly name: string;
  readonly description: string;
  readonly callers: readonly Caller[];
  readonly hints: { readonly readOnly: boolean; readonly idempotent: boolean };
  readonly input: Input;
  readonly output: Output;
  /** Looks at the arguments as they were sent, to refuse with a better reason than the schema has. */
  refuse?(args: unknown): void;
  run(call: ToolCall, args: z.infer<Input>): Promise<z.infer<Output>>;
};

/** A tool as the pipeline sees it: schemas applied, types no longer needed. */
export type AnyTool = {
  readonly name: string;
  readonly description: string;
  readonly callers: readonly Caller[];
  readonly hints: Tool["hints"];
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  call(call: ToolCall, args: unknown): Promise<Record<string, unknown>>;
};

/**
 * Keeps the two schemas and `run` in step; a tool is data, the SDK sees it in one place only.
 * Every output may carry the notification line, so every advertised schema says so.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): AnyTool {
  return {
    name: tool.name,
    description: tool.description,
    callers: tool.callers,
    hints: tool.hints,
    input: tool.input,
    output: tool.output.extend({ notification: z.string().optional() }),
    call: async (call, args) => {
      tool.refuse?.(args);
      return tool.run(call, tool.input.parse(args));
    },
  };
}
