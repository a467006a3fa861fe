import { z } from "zod";
import type { AgentIdentity, Core, Identity } from "../../app/core.ts";
import { auditRefusals } from "../../app/people/audit-refusals.ts";
import { requireKnownClient, requirePerson } from "../../app/people/require-person.ts";
import { mayActAs } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import { noticeFor, withNotification } from "./announce.ts";
import { withoutClientArguments } from "./client-arguments.ts";
import type { AnyTool, Caller, ToolCall } from "./define-tool.ts";

const MAX_ID_CHARS = 100;

export type ToolRequest = Omit<ToolCall, "core" | "identity"> & {
  readonly name: string;
  readonly args: unknown;
  identify(): Promise<Identity>;
};

export type ToolAnswer = {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

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

/** The one road of every call: identify → authorise → validate → run → map refusals → announce. */
export async function callTool(
  core: Core,
  tool: AnyTool,
  request: ToolRequest,
): Promise<ToolAnswer> {
  try {
    const identity = await request.identify();
    return await announced(core, identity, () => answerTo(core, tool, identity, request));
  } catch (error) {
    return refusalAnswer(toRefusal(core, tool, error));
  }
}

async function answerTo(
  core: Core,
  tool: AnyTool,
  identity: Identity,
  request: ToolRequest,
): Promise<ToolAnswer> {
  try {
    await admit(core, tool, identity, request.args);
    const args = withoutClientArguments(request.args ?? {}, tool.input.shape);
    const answer = await tool.call({ ...request, core, identity }, args);
    return { structuredContent: answer, content: [text(answer)] };
  } catch (error) {
    return refusalAnswer(toRefusal(core, tool, error));
  }
}

/**
 * Every answer to an agent with unread notices says so, refusals included. The line leads both the
 * text and the structured content, because some clients show the model only one of them.
 */
async function announced(
  core: Core,
  identity: Identity,
  answer: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const given = await answer();
  const notification = await noticeFor(core, identity);
  if (notification === undefined) return given;
  const structuredContent = withNotification(notification, given.structuredContent);
  if (structuredContent) return { ...given, structuredContent, content: [text(structuredContent)] };
  return { ...given, content: [{ type: "text", text: notification }, ...given.content] };
}

/** The arguments are not checked yet: the id may be of any length. */
const triedApproval = z.object({
  approvalId: z.string().transform((id) => id.slice(0, MAX_ID_CHARS)),
});

/**
 * A refused attempt at a tool that only people may use is audited: an agent that tries to decide
 * for itself, above all. On the local socket a client without a person's token may still read.
 */
async function admit(core: Core, tool: AnyTool, identity: Identity, args: unknown): Promise<void> {
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
  // Says what is missing; nobody who may not use the tool passes it.
  if (identity.kind !== "agent") requirePerson(identity, "operator");
  throw new Refusal(
    "NOT_ALLOWED",
    `${tool.name} is not for a sub-agent.`,
    "Do the task you were given and finish with report_result.",
  );
}

/** The door's one mapper: what the core refused, what the caller got wrong, and our own bugs. */
function toRefusal(core: Core, tool: AnyTool, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) {
    return new Refusal(
      "INVALID_ARGUMENTS",
      `${tool.name}: ${oneLine(z.prettifyError(error))}`,
      `Arguments of ${tool.name}: ${Object.keys(tool.input.shape).join(", ") || "none"}. Correct them and call again.`,
    );
  }
  core.log.error("A tool failed unexpectedly.", {
    tool: tool.name,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new Refusal(
    "INTERNAL_ERROR",
    `${tool.name} failed unexpectedly; nothing was changed by this call.`,
    "Call again; if it stays, the daemon's log says more.",
  );
}

export function refusalAnswer({ code, message, hint }: Refusal): ToolAnswer {
  return { isError: true, content: [text({ error: true, code, message, hint })] };
}

function text(value: unknown): { type: "text"; text: string } {
  return { type: "text", text: JSON.stringify(value) };
}
