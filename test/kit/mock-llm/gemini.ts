import { z } from "zod";
import {
  frame,
  pieces,
  plainName,
  type Conversation,
  type Dialect,
  type Reply,
} from "./dialect.ts";
import { TOKENS } from "./script.ts";

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() })
    .optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: z.unknown().optional() })
    .optional(),
});
const content = z.looseObject({ role: z.string().optional(), parts: z.array(part).default([]) });
const body = z.looseObject({
  systemInstruction: content.optional(),
  contents: z.array(content),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]),
      }),
    )
    .default([]),
});

function read(raw: unknown, path: string): Conversation {
  const { systemInstruction, contents, tools } = body.parse(raw);
  const parts = contents.flatMap(({ role, parts: own }) => own.map((each) => ({ role, ...each })));
  const answers = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  return {
    model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
    system: (systemInstruction?.parts ?? []).map(({ text }) => text ?? "").join("\n"),
    users: parts.flatMap(({ role, text }) => (role === "user" && text ? [text] : [])),
    offered: tools.flatMap((each) => each.functionDeclarations.map(({ name }) => ({ name }))),
    // Gemini pairs calls and answers by their order; ids are optional.
    calls: calls.map(({ id, name, args }, index) => {
      const answer = answers[index]?.response;
      return { id: id ?? "", name, input: args, answer: answer ? shown(answer) : null };
    }),
  };
}

const response = z.union([
  z.looseObject({ output: z.string() }).transform(({ output }) => output),
  z.looseObject({ error: z.string() }).transform(({ error }) => error),
  z.unknown().transform((other) => JSON.stringify(other)),
]);
const shown = (answer: unknown) => response.parse(answer);

function candidate(parts: readonly unknown[], { number, model }: Reply, isLast: boolean) {
  const usageMetadata = {
    promptTokenCount: TOKENS.input + TOKENS.cacheRead,
    cachedContentTokenCount: TOKENS.cacheRead,
    candidatesTokenCount: TOKENS.output,
    totalTokenCount: TOKENS.input + TOKENS.cacheRead + TOKENS.output,
  };
  return {
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(isLast && { finishReason: "STOP" }) },
    ],
    usageMetadata,
    modelVersion: model,
    responseId: `response-${number}`,
  };
}

const callParts = ({ calls }: Reply) =>
  calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));

/** The Gemini API, as the Gemini CLI uses it. */
export const gemini: Dialect = {
  cli: "gemini",
  tools: { write: "write_file", edit: "replace", shell: "run_shell_command" },
  serves: (path) => /:(generate|streamGenerate)Content$/.test(path),
  read,

  callFor(action, { offered }) {
    if ("shell" in action) {
      const input = { command: action.shell, description: "Run a command" };
      return { name: "run_shell_command", input };
    }
    if ("call" in action) {
      const found = offered.find(({ name }) => plainName(name) === action.call);
      const name = found?.name ?? `mcp_kuromajutsu_${action.call}`;
      return { name, input: action.input ?? {} };
    }
    if ("write" in action) {
      return { name: "write_file", input: { file_path: action.write, content: action.content } };
    }
    const { edit: file_path, from: old_string, to: new_string } = action;
    const instruction = "Replace one text by another.";
    return { name: "replace", input: { file_path, instruction, old_string, new_string } };
  },

  frames(reply) {
    const texts = pieces(reply.text).map((text) => candidate([{ text }], reply, false));
    const calls = callParts(reply);
    return [...texts, candidate(calls.length > 0 ? calls : [{ text: "" }], reply, true)].map(
      (each) => frame(each),
    );
  },

  whole: (reply) => candidate([{ text: reply.text }, ...callParts(reply)], reply, true),

  refusal(fault) {
    if (fault === "quota") return { status: 429, body: { error: DAILY_QUOTA } };
    const statuses = {
      400: "INVALID_ARGUMENT",
      401: "UNAUTHENTICATED",
      429: "RESOURCE_EXHAUSTED",
      500: "INTERNAL",
      529: "UNAVAILABLE",
    } as const;
    // Google knows no 529: its servers answer 503 when they are overloaded.
    const code = fault === 529 ? 503 : fault;
    const message = `The mock LLM answers ${code}.`;
    return { status: code, body: { error: { code, message, status: statuses[fault] } } };
  },
};

const DAILY_QUOTA = {
  code: 429,
  message: "You exceeded your current quota, please check your plan and billing details.",
  status: "RESOURCE_EXHAUSTED",
  details: [
    {
      "@type": "type.googleapis.com/google.rpc.QuotaFailure",
      violations: [
        {
          quotaMetric: "generativelanguage.googleapis.com/generate_content_requests",
          quotaId: "GenerateRequestsPerDayPerProjectPerModel",
        },
      ],
    },
  ],
};
