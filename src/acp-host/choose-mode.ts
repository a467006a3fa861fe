import { methods, type ClientContext, type NewSessionResponse } from "@agentclientprotocol/sdk";

/**
 * Selects the mode. CLIs offer modes as a configuration option of the session, or in the older field
 * `modes`. Throws if the CLI does not have the mode.
 */
export async function chooseMode(
  agent: ClientContext,
  session: NewSessionResponse,
  mode: string,
): Promise<void> {
  const { sessionId } = session;
  if (session.modes?.availableModes.some(({ id }) => id === mode)) {
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: mode });
    return;
  }
  const option = session.configOptions?.find(({ category }) => category === "mode");
  if (!option) throw new Error(`The CLI has no mode "${mode}". Try another version of it.`);
  await agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: option.id,
    value: mode,
  });
}
