import { z } from "zod";
import {
  frame,
  pieces,
  plainName,
  type Acting,
  type Conversation,
  type Dialect,
  type Offered,
  type OwnCall,
  type Reply,
} from "./dialect.ts";
import { TOKENS } from "./script.ts";

const tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});
const output = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().default("") }))])
  .transform((it) => (typeof it === "string" ? it : it.map(({ text }) => text).join("\n")));
const item = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  content: z.array(z.looseObject({ text: z.string().default("") })).nullish(),
  call_id: z.string().nullish(),
  name: z.string().optional(),
  namespace: z.string().nullish(),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  tools: z.array(tool).default([]),
});
const body = z.looseObject({
  model: z.string(),
  instructions: z.string().default(""),
  input: z.array(item),
  tools: z.array(tool).default([]),
});

function read(raw: unknown): Conversation {
  const { model, instructions, input, tools } = body.parse(raw);
  const textsOf = (role: string) =>
    input
      .filter((each) => each.type === "message" && each.role === role)
      .flatMap(({ content }) => (content ?? []).map(({ text }) => text));
  const answers = input.filter(({ type }) => type.endsWith("_output"));
  const found = answers.flatMap((each) => each.tools);
  return {
    model,
    system: [instructions, ...textsOf("developer")].join("\n"),
    users: textsOf("user"),
    offered: [...tools, ...found].flatMap(offeredIn),
    calls: input
      .filter(({ type }) => type.endsWith("_call"))
      .map((call) => {
        const answer = answers.find(({ call_id }) => call_id === call.call_id);
        const name = call.namespace ? `${call.namespace}__${call.name}` : (call.name ?? call.type);
        return {
          id: call.call_id ?? "",
          name,
          input: call.arguments ?? call.input,
          answer: answer === undefined ? null : (output.safeParse(answer.output).data ?? ""),
        };
      }),
  };
}

function offeredIn({ type, name = type, tools }: z.infer<typeof tool>): readonly Offered[] {
  if (type !== "namespace") return [{ name, type }];
  return tools.map((each) => ({ name: each.name, namespace: name }));
}

const SERVER = "mcp__kuromajutsu";

function callOurs(name: string, input: unknown, { offered, calls }: Conversation) {
  const isOurs = (each: Offered) =>
    (each.namespace === SERVER && each.name === name) || plainName(each.name) === name;
  const found = offered.find(isOurs);
  const isSearched = calls.some((each) => JSON.stringify(each.input).includes(name));
  if (!found && !isSearched && offered.some(({ type }) => type === "tool_search")) {
    const search = { query: name, limit: 8 };
    return { name: "tool_search", form: "search", input: search, isHidden: true } as const;
  }
  const { name: own, namespace } = found ?? { name, namespace: SERVER };
  return { name: own, input, ...(namespace !== undefined && { namespace }) };
}

const lines = (sign: string, text: string) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}`);

function patchFor(action: Exclude<Acting, { readonly call: string } | { readonly shell: string }>) {
  const change =
    "write" in action
      ? [`*** Add File: ${action.write}`, ...lines("+", action.content)]
      : [
          `*** Update File: ${action.edit}`,
          "@@",
          ...lines("-", action.from),
          ...lines("+", action.to),
        ];
  return ["*** Begin Patch", ...change, "*** End Patch"].join("\n");
}

function itemOf({ id, name, input, form = "function", namespace }: OwnCall, number: number) {
  const ids = { id: `item_${number}_${id}`, call_id: id };
  if (form === "search") {
    const status = { execution: "client", status: "completed" };
    return { type: "tool_search_call", ...ids, ...status, arguments: input };
  }
  if (form === "custom") return { type: "custom_tool_call", ...ids, name, input };
  const args = JSON.stringify(input);
  return { type: "function_call", ...ids, name, ...(namespace && { namespace }), arguments: args };
}

function itemsOf({ number, text, calls }: Reply) {
  const content = [{ type: "output_text", text, annotations: [] }];
  const said = { type: "message", role: "assistant", id: `msg_${number}`, content };
  return [...(text === "" ? [] : [said]), ...calls.map((call) => itemOf(call, number))];
}

function responseOf(reply: Reply) {
  return {
    id: `resp_${reply.number}`,
    object: "response",
    created_at: 1,
    status: "completed",
    model: reply.model,
    output: itemsOf(reply),
    usage: {
      input_tokens: TOKENS.input + TOKENS.cacheRead,
      input_tokens_details: { cached_tokens: TOKENS.cacheRead },
      output_tokens: TOKENS.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: TOKENS.input + TOKENS.cacheRead + TOKENS.output,
    },
  };
}

/** The Responses API, as Codex uses it. */
export const responses: Dialect = {
  cli: "codex",
  tools: { write: "apply_patch", edit: "apply_patch", shell: "exec_command" },
  serves: (path) => path.endsWith("/responses"),
  read,

  callFor(action, conversation) {
    if ("call" in action) return callOurs(action.call, action.input ?? {}, conversation);
    if ("shell" in action) {
      return { name: "exec_command", input: { cmd: action.shell, yield_time_ms: 600_000 } };
    }
    return { name: "apply_patch", form: "custom", input: patchFor(action) };
  },

  frames(reply) {
    let sequence_number = 0;
    const event = (type: string, data: object) =>
      frame({ type, sequence_number: sequence_number++, ...data }, type);
    const response = responseOf(reply);
    const started = { ...response, status: "in_progress", output: [], usage: null };
    const deltas = pieces(reply.text).map((delta) =>
      event("response.output_text.delta", {
        output_index: 0,
        item_id: `msg_${reply.number}`,
        content_index: 0,
        delta,
      }),
    );
    return [
      event("response.created", { response: started }),
      ...response.output.flatMap((each, output_index) => [
        event("response.output_item.added", { output_index, item: each }),
        ...(each.type === "message" ? deltas : []),
        event("response.output_item.done", { output_index, item: each }),
      ]),
      event("response.completed", { response }),
    ];
  },

  whole: responseOf,

  refusal(fault, resetsAt) {
    if (fault === "quota") {
      const error = {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: resetsAt,
      };
      return { status: 429, body: { error } };
    }
    const code = String(fault);
    const message = `The mock LLM answers ${fault}.`;
    return { status: fault, body: { error: { message, type: "mock_error", code } } };
  },
};
