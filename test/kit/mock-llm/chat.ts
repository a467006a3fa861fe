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
import { TOKENS } from "./script.ts";

const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().default("") }))])
  .nullish()
  .transform((it) => (Array.isArray(it) ? it.map(({ text }) => text).join("\n") : (it ?? "")));
const body = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content,
      tool_call_id: z.string().optional(),
      tool_calls: z
        .array(
          z.looseObject({
            id: z.string(),
            function: z.looseObject({ name: z.string(), arguments: z.string() }),
          }),
        )
        .default([]),
    }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});

function read(raw: unknown): Conversation {
  const { model, messages, tools } = body.parse(raw);
  const textsOf = (role: string) =>
    messages.filter((each) => each.role === role).map((each) => each.content);
  return {
    model,
    system: textsOf("system").join("\n"),
    users: textsOf("user"),
    offered: tools.map((each) => ({ name: each.function.name })),
    calls: messages
      .flatMap(({ tool_calls }) => tool_calls)
      .map((call) => ({
        id: call.id,
        name: call.function.name,
        input: JSON.parse(call.function.arguments),
        answer: messages.find(({ tool_call_id }) => tool_call_id === call.id)?.content ?? null,
      })),
  };
}

const USAGE = {
  prompt_tokens: TOKENS.input + TOKENS.cacheRead,
  prompt_tokens_details: { cached_tokens: TOKENS.cacheRead },
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.cacheRead + TOKENS.output,
};

const toolCalls = ({ calls }: Reply) =>
  calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));

const finishReason = ({ calls }: Reply) => (calls.length > 0 ? "tool_calls" : "stop");

/** Chat completions, as OpenCode uses them with an OpenAI-compatible provider. */
export const chat: Dialect = {
  cli: "opencode",
  tools: { write: "write", edit: "edit", shell: "bash" },
  serves: (path) => path.endsWith("/chat/completions"),
  read,

  callFor(action, conversation) {
    if ("shell" in action) {
      return { name: "bash", input: { command: action.shell, description: "Run a command" } };
    }
    if ("call" in action) {
      const found = conversation.offered.find(({ name }) => plainName(name) === action.call);
      const name = found?.name ?? `kuromajutsu_${action.call}`;
      return { name, input: action.input ?? {} };
    }
    const filePath = "write" in action ? action.write : action.edit;
    if (mustReadFirst(filePath, conversation)) {
      return { name: "read", input: { filePath }, isHidden: true };
    }
    if ("write" in action) return { name: "write", input: { filePath, content: action.content } };
    return { name: "edit", input: { filePath, oldString: action.from, newString: action.to } };
  },

  frames(reply) {
    const { number, model } = reply;
    const id = `chatcmpl-${number}`;
    const chunk = (choices: readonly unknown[], more: object = {}) =>
      frame({ id, object: "chat.completion.chunk", created: 1, model, choices, ...more });
    const delta = (each: object, finish_reason: string | null = null) =>
      chunk([{ index: 0, delta: each, finish_reason }]);
    return [
      delta({ role: "assistant", content: "" }),
      ...pieces(reply.text).map((text) => delta({ content: text })),
      ...(reply.calls.length > 0 ? [delta({ tool_calls: toolCalls(reply) })] : []),
      delta({}, finishReason(reply)),
      chunk([], { usage: USAGE }),
      "data: [DONE]\n\n",
    ];
  },

  whole: (reply) => ({
    id: `chatcmpl-${reply.number}`,
    object: "chat.completion",
    created: 1,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: reply.text, tool_calls: toolCalls(reply) },
        finish_reason: finishReason(reply),
      },
    ],
    usage: USAGE,
  }),

  refusal(fault) {
    const message =
      fault === "quota"
        ? "You exceeded your current quota, please check your plan and billing details."
        : `The mock LLM answers ${fault}.`;
    const code = fault === "quota" ? "insufficient_quota" : String(fault);
    const error = { message, type: code, param: null, code };
    return { status: fault === "quota" ? 429 : fault, body: { error } };
  },
};
