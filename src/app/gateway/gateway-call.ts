import type { AgentId, ToolCallId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type {
  JsonObject,
  UpstreamAnswer,
  UpstreamProgress,
  UpstreamTool,
} from "../ports/upstream.ts";
import type { Patience } from "./hold-call.ts";

export type CallUpstreamTool = Patience & {
  /** The name in tools/list. */
  readonly name: string;
  readonly args: JsonObject;
  onProgress(progress: UpstreamProgress): void;
};

export type GatewayCall = CallUpstreamTool & {
  readonly agentId: AgentId;
  readonly role: string;
  readonly tool: UpstreamTool;
};

/** Enters the call before its intent is committed, so that a later stop always finds it. */
export async function whileInFlight<Done>(
  core: Core,
  { agentId, tool, signal }: GatewayCall,
  work: (id: ToolCallId, signal: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const id = `call-${core.random.ulid(core.clock.now())}` as const;
  const abort = new AbortController();
  const leave = core.calls.enter({ id, agentId, server: tool.server, tool: tool.name, abort });
  const giveUp = (): void => abort.abort(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await work(id, abort.signal);
  } finally {
    signal.removeEventListener("abort", giveUp);
    leave();
  }
}

/** An answer to a client that disconnected is delivered again when the same call is repeated. */
export function noteDelivery(core: Core, { agentId, signal }: GatewayCall): void {
  if (signal.aborted) core.calls.forget(agentId);
  else core.calls.answered(agentId);
}

export function tookEffect(by: string | null): UpstreamAnswer {
  const text = `${by ?? "A person"} confirmed that this call took effect; its answer was lost. It was not made again. Go on with the next step.`;
  return { content: [{ type: "text", text }], isError: false };
}
