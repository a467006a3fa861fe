import { z } from "zod";
import {
  frame,
  mustReadFirst,
  pieces,
  plainName,
  type Conversation,
  type Dialect,
  type Reply,
} from "./dialect.ts";
import { CLAUDE_CACHE_WRITE, TOKENS } from "./script.ts";

const text = z.looseObject({ type: z.literal("text"), text: z.string() });
const block = z.union([
  text,
  z.looseObject({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
  z.looseObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]).optional(),
  }),
  z.looseObject({ type: z.literal("other").catch("other") }),
]);
const body = z.looseObject({
  model: z.string(),
  system: z.union([z.string(), z.array(text)]).default(""),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) }),
  ),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

function read(raw: unknown): Conversation {
  const { model, system, messages, tools } = body.parse(raw);
  const blocks = messages.flatMap(({ role, content }) =>
    (typeof content === "string" ? [{ type: "text" as const, text: content }] : content).map(
      (each) => ({ role, ...each }),
    ),
  );
  const results = blocks.filter((each) => each.type === "tool_result");
  return {
    model,
    system: typeof system === "string" ? system : system.map((each) => each.text).join("\n"),
    users: blocks.flatMap((each) =>
      each.type === "text" && each.role === "user" ? [each.text] : [],
    ),
    offered: tools.map(({ name }) => ({ name })),
    calls: blocks.flatMap((each) => {
      if (each.type !== "tool_use") return [];
      const answer = results.find(({ tool_use_id }) => tool_use_id === each.id)?.content;
      return [{ id: each.id, name: each.name, input: each.input, answer: shown(answer) }];
    }),
  };
}

function shown(content: string | readonly unknown[] | undefined): string | null {
  if (content === undefined || typeof content === "string") return content ?? null;
  return content.map((each) => text.safeParse(each).data?.text ?? JSON.stringify(each)).join("\n");
}

function message({ number, model }: Reply) {
  const usage = {
    input_tokens: TOKENS.input,
    output_tokens: TOKENS.output,
    cache_read_input_tokens: TOKENS.cacheRead,
    cache_creation_input_tokens: CLAUDE_CACHE_WRITE,
  };
  const ends = { stop_reason: null, stop_sequence: null };
  return { id: `msg_${number}`, type: "message", role: "assistant", model, ...ends, usage };
}

function contentOf(reply: Reply) {
  const said = reply.text === "" ? [] : [{ type: "text" as const, text: reply.text }];
  const calls = reply.calls.map(({ id, name, input }) => ({
    type: "tool_use" as const,
    id,
    name,
    input,
  }));
  return [...said, ...calls];
}

const stopReason = ({ calls }: Reply) => (calls.length > 0 ? "tool_use" : "end_turn");

const event = (type: string, data: object) => frame({ type, ...data }, type);
const error = (type: string, said: string) => ({ type: "error", error: { type, message: said } });

/** The Messages API, as Claude Code uses it. */
export const anthropic: Dialect = {
  cli: "claude",
  tools: { write: "Write", edit: "Edit", shell: "Bash" },
  serves: (path) => path.endsWith("/v1/messages"),
  read,

  callFor(action, conversation) {
    if ("shell" in action) {
      return { name: "Bash", input: { command: action.shell, description: "Run a command" } };
    }
    if ("call" in action) {
      const found = conversation.offered.find(({ name }) => plainName(name) === action.call);
      const name = found?.name ?? `mcp__kuromajutsu__${action.call}`;
      const search = conversation.offered.some((each) => each.name === "ToolSearch");
      const isFound = conversation.calls.some(({ input }) => JSON.stringify(input).includes(name));
      if (!found && search && !isFound) {
        const input = { query: `select:${name}`, max_results: 5 };
        return { name: "ToolSearch", input, isHidden: true };
      }
      return { name, input: action.input ?? {} };
    }
    const file_path = "write" in action ? action.write : action.edit;
    if (mustReadFirst(file_path, conversation)) {
      return { name: "Read", input: { file_path }, isHidden: true };
    }
    if ("write" in action) return { name: "Write", input: { file_path, content: action.content } };
    const { from: old_string, to: new_string } = action;
    return { name: "Edit", input: { file_path, old_string, new_string } };
  },

  frames(reply) {
    const blocks = contentOf(reply).flatMap((each, index) => {
      const deltas =
        each.type === "text"
          ? pieces(each.text).map((part) => ({ type: "text_delta", text: part }))
          : [{ type: "input_json_delta", partial_json: JSON.stringify(each.input) }];
      const content_block = each.type === "text" ? { ...each, text: "" } : { ...each, input: {} };
      return [
        event("content_block_start", { index, content_block }),
        ...deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      ];
    });
    const delta = { stop_reason: stopReason(reply), stop_sequence: null };
    return [
      event("message_start", { message: { ...message(reply), content: [] } }),
      ...blocks,
      event("message_delta", { delta, usage: { output_tokens: TOKENS.output } }),
      event("message_stop", {}),
    ];
  },

  whole: (reply) => ({
    ...message(reply),
    content: contentOf(reply),
    stop_reason: stopReason(reply),
  }),

  refusal(fault, resetsAt) {
    if (fault === "quota") {
      return {
        status: 429,
        headers: {
          "anthropic-ratelimit-unified-status": "rejected",
          "anthropic-ratelimit-unified-reset": String(resetsAt),
          "anthropic-ratelimit-unified-representative-claim": "five_hour",
        },
        body: error("rate_limit_error", "This request would exceed your account's rate limit."),
      };
    }
    const types = {
      400: "invalid_request_error",
      401: "authentication_error",
      429: "rate_limit_error",
      500: "api_error",
      529: "overloaded_error",
    } as const;
    return { status: fault, body: error(types[fault], `The mock LLM answers ${fault}.`) };
  },
};
