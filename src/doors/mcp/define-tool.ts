import { z } from "zod";
import type { Core, Identity } from "../../app/core.ts";
import type { OnDelivery } from "../../app/gateway/gateway-call.ts";
import { Refusal } from "../../domain/refusal.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import { renameArguments, type OtherNames } from "../rename-arguments.ts";

/**
 * The callers that see and may use a tool. `client` is an MCP client that we did not start, with or
 * without a person's token; `person` is one with a token. An `orchestrator` is an agent that leads
 * others, an `executor` one that carries out an approved process, an `agent` any other.
 */
export const CALLERS = ["client", "orchestrator", "executor", "agent", "person"] as const;
export type Caller = (typeof CALLERS)[number];

/** The context of one call. */
export type ToolCall = {
  readonly core: Core;
  readonly identity: Identity;
  /** Aborted when the caller cancels or disconnects. */
  readonly signal: AbortSignal;
  /** How long this caller's client waits for one call before it gives up. */
  readonly patienceMs: number;
  /** A progress notification that keeps the call alive; sent only if the client asked for progress. */
  beat(message: string): void;
  /** Absent: the answer is delivered if the caller is still there when it is returned. */
  readonly onDelivery?: OnDelivery | undefined;
  /** Why the signal was aborted: the caller is still there, but cut off, and will call again. */
  readonly isCutOff?: (() => boolean) | undefined;
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
  /** Sees the arguments before validation, to refuse with a clearer message than the schema's. */
  refuse?(args: unknown): void;
  /** Other names of arguments; not in the schema, which every conversation carries. */
  readonly otherNames?: OtherNames;
  run(call: ToolCall, args: z.infer<Input>): Promise<z.infer<Output>>;
};

/** A tool as the pipeline sees it, without the types of its arguments. */
export type AnyTool = {
  readonly name: string;
  readonly description: string;
  readonly callers: readonly Caller[];
  readonly hints: Tool["hints"];
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  call(call: ToolCall, args: unknown): Promise<Record<string, unknown>>;
};

/** Checks that `run` fits the schemas. Every output may carry the notification line. */
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
      return tool.run(call, validate(tool, renameArguments(args, tool.otherNames ?? {})));
    },
  };
}

function validate<Input extends z.ZodObject>(
  { name, input }: { readonly name: string; readonly input: Input },
  args: unknown,
): z.infer<Input> {
  const { data, error } = input.safeParse(args);
  if (!error) return data;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `${name}: ${oneLine(z.prettifyError(error))}`,
      `Arguments of ${name}: ${Object.keys(input.shape).join(", ") || "none"}. Correct them and call again.`,
    ],
    ja: [
      `${name}: ${oneLine(z.prettifyError(error))}`,
      `${name} の引数: ${Object.keys(input.shape).join(", ") || "なし"}。直して、もう一度呼んでください。`,
    ],
  });
}
