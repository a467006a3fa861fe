import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { askClient } from "./ask-client.ts";
import { form } from "./questions.ts";
import { embedded, image, text } from "./samples.ts";

type Arguments = Readonly<Record<string, string>>;
type PromptFixture = {
  readonly prompt: Prompt;
  get(
    args: Arguments,
    context: ServerContext,
  ): GetPromptResult | Promise<GetPromptResult | InputRequiredResult>;
};

/** We have no prompts; these test that our server supports them and the questions they may ask. */
export function addPrompts(server: Server): void {
  server.registerCapabilities({ prompts: {}, completions: {} });
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ prompt }) => prompt),
  }));
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const found = prompts.find(({ prompt }) => prompt.name === params.name);
    if (found) return found.get(params.arguments ?? {}, context);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
  });
  server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

const prompts: readonly PromptFixture[] = [
  {
    prompt: { name: "test_simple_prompt", description: "One message." },
    get: () => user(text("This is a simple prompt for testing.")),
  },
  {
    prompt: {
      name: "test_prompt_with_arguments",
      description: "One message with its arguments in it.",
      arguments: [
        { name: "arg1", required: true },
        { name: "arg2", required: true },
      ],
    },
    get: ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    prompt: {
      name: "test_prompt_with_embedded_resource",
      description: "A message with a resource in it.",
      arguments: [{ name: "resourceUri", required: true }],
    },
    get: ({ resourceUri = "" }) =>
      user(
        embedded(resourceUri, "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
      ),
  },
  {
    prompt: { name: "test_prompt_with_image", description: "A message with an image in it." },
    get: () => user(image, text("Please analyze the image above.")),
  },
  {
    prompt: {
      name: "test_input_required_result_prompt",
      description: "Asks the client for a context first.",
    },
    async get(_, context) {
      const question = form("What context should the prompt use?", { context: { type: "string" } });
      const asked = await askClient(
        { rounds: [{ user_context: question }], sealed: false },
        context,
      );
      return asked.kind === "ask" ? asked.result : user(text(JSON.stringify(asked.answers)));
    },
  },
];

function user(...contents: GetPromptResult["messages"][number]["content"][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user", content })) };
}
