import { noAnswer, type ToolAnswer } from "./answer.ts";
import { createToolCaller, OutcomeUnknown, type ToolCaller } from "./mcp.ts";
import type { CursorStream, ToolOutcome } from "./stream.ts";

/** The connection to the daemon that an agent finds in its environment. */
export type DaemonTools = {
  readonly isKnown: boolean;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

export type DaemonToolsOptions = {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly retryForMs: number;
};

/** Each call is a real one, and is seen in the stream as the CLI shows its MCP calls. */
export function createDaemonTools(stream: CursorStream, options: DaemonToolsOptions): DaemonTools {
  const { url } = options;
  const caller: ToolCaller | undefined = url ? createToolCaller({ ...options, url }) : undefined;

  return {
    isKnown: caller !== undefined,
    async call(name, args) {
      let answer = noAnswer("");
      async function ask(): Promise<ToolOutcome> {
        try {
          if (!caller) throw new Error("KUROMAJUTSU_MCP_URL is not set.");
          answer = await caller.call(name, args);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          answer = noAnswer(message, { isOutcomeUnknown: error instanceof OutcomeUnknown });
          return { error: { message } };
        }
        const content = [{ text: { text: answer.text } }];
        return { success: { content, isError: answer.isError } };
      }
      await stream.tool(
        "mcpToolCall",
        {
          name: `kuromajutsu-${name}`,
          args,
          providerIdentifier: "kuromajutsu",
          toolName: name,
        },
        ask,
      );
      return answer;
    },
    async close() {
      await caller?.close();
    },
  };
}
