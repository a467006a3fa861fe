import {
  inputRequired,
  type ElicitRequestFormParams,
  type InputRequest,
} from "@modelcontextprotocol/server";

type Properties = ElicitRequestFormParams["requestedSchema"]["properties"];

export function form(message: string, properties: Properties): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties) },
  });
}

export function sample(prompt: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
}

export const name = form("What is your name?", { name: { type: "string" } });
export const confirm = form("Please confirm", { ok: { type: "boolean" } });
export const color = form("What is your favorite color?", { color: { type: "string" } });

/** A default for every primitive type. */
export const withDefaults = form("Please review these values", {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
});

const values = (noun: string) => [
  { const: "value1", title: `First ${noun}` },
  { const: "value2", title: `Second ${noun}` },
  { const: "value3", title: `Third ${noun}` },
];

/** Every way a choice can be written, the deprecated one too. */
export const withChoices = form("Please choose", {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", oneOf: values("Option") },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    items: { type: "string", enum: ["option1", "option2", "option3"] },
  },
  titledMulti: { type: "array", items: { anyOf: values("Choice") } },
});
