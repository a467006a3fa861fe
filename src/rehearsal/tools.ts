import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "../base/narrow.ts";
import { noAnswer, type ToolAnswer } from "./answer.ts";
import { createToolCaller, OutcomeUnknown, type ToolCaller } from "./mcp.ts";
import type { CursorStream, ToolEvent } from "./stream.ts";

/** The connection to the daemon, from the agent's environment. */
export type DaemonTools = {
  readonly isKnown: boolean;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  /** A second connection: on one connection only one call is open at a time. */
  another(): DaemonTools;
  close(): Promise<void>;
};

export type DaemonToolsOptions = {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly retryForMs: number;
};

/**
 * With the daemon's own wait per call and the back-off, this waits for a full disk for about an
 * hour.
 */
const MAX_FULL_DISK_CALLS = 100;
const FULL_DISK_PAUSE_MS = 500;

/**
 * Makes real calls and writes them to the stream like the CLI's MCP calls. A report that the daemon
 * could not store on a full disk is repeated, as the refusal asks.
 */
export function createDaemonTools(stream: CursorStream, options: DaemonToolsOptions): DaemonTools {
  const { url } = options;
  const caller: ToolCaller | undefined = url ? createToolCaller({ ...options, url }) : undefined;

  async function call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    let answer = await callOnce(name, args);
    for (let calls = 1; isReportOnFullDisk(name, answer) && calls < MAX_FULL_DISK_CALLS; calls++) {
      await sleep(FULL_DISK_PAUSE_MS);
      answer = await callOnce(name, args);
    }
    return answer;
  }

  async function callOnce(
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<ToolAnswer> {
    let answer = noAnswer("");
    async function ask(): Promise<ToolEvent> {
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
  }

  return {
    isKnown: caller !== undefined,
    call,
    another: () => createDaemonTools(stream, options),
    async close() {
      await caller?.close();
    },
  };
}

function isReportOnFullDisk(name: string, { isError, fields }: ToolAnswer): boolean {
  return name.startsWith("report_") && isError && textOf(fields.code) === "STORE_FULL";
}
