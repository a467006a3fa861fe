import { methods, type ClientContext, type NewSessionResponse } from "@agentclientprotocol/sdk";
import { fieldsOf, isRecord, textOf } from "../base/narrow.ts";

/**
 * Selects the model. CLIs offer models as a configuration option of the session, or in the older
 * field `models`, which the stable protocol does not define.
 */
export async function chooseModel(
  agent: ClientContext,
  session: NewSessionResponse,
  model: string,
): Promise<void> {
  const { sessionId } = session;
  const option = session.configOptions?.find(({ category }) => category === "model");
  if (option) {
    await agent.request(methods.agent.session.setConfigOption, {
      sessionId,
      configId: option.id,
      value: model,
    });
    return;
  }
  const { models } = fieldsOf(session);
  if (!isRecord(models)) {
    throw new Error(`This CLI does not let the model be chosen. Set the model to "default".`);
  }
  const offered = Array.isArray(models.availableModels) ? models.availableModels : [];
  const ids = offered.map((each) => textOf(fieldsOf(each).modelId)).filter(Boolean);
  if (!ids.includes(model)) {
    throw new Error(`The CLI has no model "${model}". It offers: ${ids.join(", ")}.`);
  }
  await agent.request("session/set_model", { sessionId, modelId: model });
}
