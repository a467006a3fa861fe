import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AgentIdentity, Core, Identity } from "../../app/core.ts";
import { auditRefusals } from "../../app/people/audit-refusals.ts";
import { requireKnownClient, requirePerson } from "../../app/people/require-person.ts";
import { mayActAs } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { AnyTool, Caller } from "./define-tool.ts";
import { runPipeline, type ToolRequest } from "./run-pipeline.ts";

const MAX_ID_CHARS = 100;

/** Calls one of our own tools. */
export function callTool(core: Core, tool: AnyTool, request: ToolRequest): Promise<CallToolResult> {
  return runPipeline(core, request, {
    authorize: (identity) => authorize(core, tool, identity, request.args),
    declaredArguments: () => tool.input.shape,
    run: async (_allowed, call, args) => ({ structuredContent: await tool.call(call, args) }),
    unexpected: () =>
      new Refusal("INTERNAL_ERROR", {
        en: [
          `${tool.name} failed unexpectedly; nothing was changed by this call.`,
          "Call again; if it stays, the daemon's log says more.",
        ],
        ja: [
          `${tool.name} が思いがけず失敗しました。この呼び出しでは何も変わっていません。`,
          "もう一度呼んでください。続くようなら、デーモンのログを見てください。",
        ],
      }),
  });
}

/** A person may use everything a client may, and more; a viewer may only read. */
export function mayUse({ callers, hints }: Pick<AnyTool, "callers" | "hints">, identity: Identity) {
  switch (identity.kind) {
    case "agent":
      return callers.includes(callerOf(identity));
    case "client":
      return callers.includes("client");
    case "person":
      return (
        (hints.readOnly || mayActAs(identity.person, "operator")) &&
        (callers.includes("client") || callers.includes("person"))
      );
  }
}

function callerOf({ role }: AgentIdentity): Caller {
  return role === "orchestrator" || role === "executor" ? role : "agent";
}

/** The arguments are not validated yet: the id may be of any length. */
const triedApproval = z.object({
  approvalId: z.string().transform((id) => id.slice(0, MAX_ID_CHARS)),
});

/**
 * A refused attempt at a tool that only people may use is audited: above all, an agent that tries to
 * decide an approval. On the local socket a client without a person's token may still read.
 */
async function authorize(
  core: Core,
  tool: AnyTool,
  identity: Identity,
  args: unknown,
): Promise<void> {
  const isOnlyForPeople = tool.callers.every((caller) => caller === "person");
  if (tool.hints.readOnly || !isOnlyForPeople) {
    requireAllowed(tool, identity);
    if (!tool.hints.readOnly) requireKnownClient(core, identity);
    return;
  }
  const tried = triedApproval.safeParse(args).data;
  const ids = tried ? [tried.approvalId] : [];
  const attempt = { identity, subject: tool.name, ids, action: "tool.refused", data: { ...tried } };
  await auditRefusals(core, attempt, async () => requireAllowed(tool, identity));
}

function requireAllowed(tool: AnyTool, identity: Identity): void {
  if (mayUse(tool, identity)) return;
  if (identity.kind === "agent") {
    throw new Refusal("NOT_ALLOWED", {
      en: [
        `${tool.name} is not for a sub-agent.`,
        "Do the task you were given and finish with report_result.",
      ],
      ja: [
        `${tool.name} はサブエージェントには使えません。`,
        "任された作業を行い、report_result で終わってください。",
      ],
    });
  }
  // Refuses clients without a person and viewers with what they lack.
  requirePerson(identity, "operator");
  throw new Refusal("NOT_ALLOWED", {
    en: [
      `${tool.name} is only for agents that Kuromajutsu started.`,
      "Call tools/list to see which tools are for you.",
    ],
    ja: [
      `${tool.name} を使えるのは、Kuromajutsu が起動したエージェントだけです。`,
      "使えるツールは tools/list で確かめられます。",
    ],
  });
}
