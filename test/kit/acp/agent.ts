// An agent that speaks ACP on stdin and stdout; the first argument says how it behaves.
import { existsSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";

const behaviour = process.argv[2] ?? "works";
const sessionId = "session-1";
/** A file in the working directory: this agent has failed because of another one. */
const COLLIDED = "collided";
let cancel: () => void = () => undefined;
let mode = "writing";
let repeated = Promise.resolve();
/** A failure as claude-agent-acp and codex-acp describe it. */
const failed = (severity: string, title: string) => ({
  jetbrains: { air: { sessionFailure: { severity, title, category: "limit" } } },
});

const update = (client: AgentContext, text: string) =>
  client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });

async function edit(client: AgentContext, asksFirst: boolean): Promise<void> {
  const call = { toolCallId: "c-1", title: "edit", kind: "edit" } as const;
  const locations = [{ path: `${process.cwd()}/a.txt` }];
  await client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "tool_call", ...call, locations },
  });
  const decision: RequestPermissionResponse | null = asksFirst
    ? await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: call,
        options: [
          { optionId: "yes", name: "Yes", kind: "allow_once" },
          { optionId: "no", name: "No", kind: "reject_once" },
        ],
      })
    : null;
  const outcome = decision?.outcome;
  const isRefused = outcome?.outcome === "selected" && outcome.optionId === "no";
  await client.notify(methods.client.session.update, {
    sessionId,
    update: {
      sessionUpdate: "tool_call_update",
      toolCallId: "c-1",
      status: isRefused ? "failed" : "completed",
    },
  });
}

agent({ name: "test-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "test-agent", version: "1" },
    agentCapabilities: { loadSession: behaviour !== "forgets" },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (behaviour === "signed-out") throw RequestError.authRequired();
    if (behaviour === "collides" && !existsSync(COLLIDED)) {
      writeFileSync(COLLIDED, "");
      throw new RequestError(-32_603, "failed to initialize sqlite state runtime");
    }
    process.stderr.write(`servers ${JSON.stringify(params.mcpServers)}\n`);
    if (behaviour !== "has-modes") return { sessionId };
    const availableModes = ["writing", "reading"].map((id) => ({ id, name: id }));
    return { sessionId, modes: { currentModeId: mode, availableModes } };
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    mode = params.modeId;
    return {};
  })
  .onRequest(methods.agent.session.load, async ({ client, params }) => {
    if (params.sessionId !== sessionId) throw RequestError.resourceNotFound(params.sessionId);
    await update(client, "An earlier answer.");
    // Like Gemini, which does not wait for the end of the repetition.
    repeated = sleep(50).then(() => update(client, "Another earlier answer."));
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ client }) => {
    await repeated;
    if (behaviour === "dies") process.exit(7);
    if (behaviour === "limited") throw new RequestError(429, "Daily quota exceeded.");
    await update(client, "Working.");
    if (behaviour === "has-modes") await update(client, ` In the mode ${mode}.`);
    if (behaviour === "fails-quietly") {
      return { stopReason: "end_turn", _meta: failed("error", "last status: 401 Unauthorized") };
    }
    if (behaviour === "retries") {
      const _meta = failed("warning", "Retrying, attempt 1 of 10.");
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "session_info_update", _meta },
      });
      await update(client, "Done.");
      return { stopReason: "end_turn" };
    }
    if (behaviour === "waits") await new Promise<void>((resolve) => (cancel = resolve));
    if (behaviour === "waits") return { stopReason: "cancelled" };
    await edit(client, behaviour !== "writes-unasked");
    await update(client, "Done.");
    return { stopReason: "end_turn" };
  })
  .onNotification(methods.agent.session.cancel, () => cancel())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
