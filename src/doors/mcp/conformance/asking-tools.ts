import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { askClient, type Questions } from "./ask-client.ts";
import { fixture, type Fixture } from "./fixture.ts";
import { color, confirm, form, name, sample, withChoices, withDefaults } from "./questions.ts";
import { say } from "./samples.ts";

const roots = inputRequired.listRoots();
const capital = sample("What is the capital of France?");
const contact = {
  username: { type: "string", description: "User's response" },
  email: { type: "string", description: "User's email address" },
} as const;

/** Tools that ask the client something before they answer. */
export const askingTools: readonly Fixture[] = [
  asking("test_elicitation_sep1034_defaults", { review: withDefaults }),
  asking("test_elicitation_sep1330_enums", { choice: withChoices }),
  asking("test_streaming_elicitation", { user_name: name }),
  asking("test_missing_capability", { capital_question: capital }),
  asking("test_input_required_result_elicitation", { user_name: name }),
  asking("test_input_required_result_sampling", { capital_question: capital }),
  asking("test_input_required_result_list_roots", { client_roots: roots }),
  sealed("test_input_required_result_request_state", [{ confirm }]),
  sealed("test_input_required_result_tampered_state", [{ confirm }]),
  sealed("test_input_required_result_multiple_inputs", [
    { user_name: name, greeting: sample("Generate a greeting"), client_roots: roots },
  ]),
  sealed("test_input_required_result_multi_round", [{ step1: name }, { step2: color }]),
  fixture(
    "test_input_required_result_capabilities",
    "Asks only for what the client said it can do.",
    (_, context) => answer({ rounds: [questionsFor(context)], sealed: false }, context),
  ),
  askingWith("test_elicitation", "message", (message) => ({ contact: form(message, contact) })),
  askingWith("test_sampling", "prompt", (prompt) => ({ completion: sample(prompt) })),
];

function asking(toolName: string, questions: InputRequests): Fixture {
  return fixture(toolName, `Asks the client for ${Object.keys(questions).join(", ")}.`, (_, call) =>
    answer({ rounds: [questions], sealed: false }, call),
  );
}

function sealed(toolName: string, rounds: Questions["rounds"]): Fixture {
  const keys = rounds.flatMap((round) => Object.keys(round));
  return fixture(
    toolName,
    `Asks the client for ${keys.join(", ")}; the round is signed.`,
    (_, call) => answer({ rounds, sealed: true }, call),
  );
}

function askingWith(
  toolName: string,
  argument: string,
  questions: (text: string) => InputRequests,
): Fixture {
  const shape = z.object({ [argument]: z.string() });
  return {
    tool: {
      name: toolName,
      description: `Passes its ${argument} on to the client.`,
      inputSchema: {
        type: "object",
        properties: { [argument]: { type: "string" } },
        required: [argument],
      },
    },
    call: (args, context) =>
      answer({ rounds: [questions(shape.parse(args)[argument] ?? "")], sealed: false }, context),
  };
}

async function answer(
  questions: Questions,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const asked = await askClient(questions, context);
  if (asked.kind === "ask") return asked.result;
  const prefix = questions.sealed ? "state-ok: " : "";
  return say(`${prefix}${JSON.stringify(asked.answers)}`);
}

const declared = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    elicitation: z.unknown().optional(),
    sampling: z.unknown().optional(),
  }),
});

function questionsFor(context: ServerContext): InputRequests {
  const capabilities = declared.safeParse(context.mcpReq.envelope).data?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return {
    ...(capabilities?.elicitation === undefined ? {} : { user_name: name }),
    ...(capabilities?.sampling === undefined ? {} : { capital_question: capital }),
  };
}
