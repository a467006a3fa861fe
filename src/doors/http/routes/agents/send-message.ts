import { sendMessage as send } from "../../../../app/notifications/send-message.ts";
import { actorOf } from "../../../../app/people/require-person.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { defineRoute } from "../../define-route.ts";

export const sendMessage = defineRoute(contract.sendMessage, {
  async run(core, { params, body }, identity) {
    const sent = await send(core, identity, {
      agentId: params.id,
      text: body.text,
      from: actorOf(identity),
    });
    return { notificationId: sent.id, agentId: sent.agentId, status: sent.status };
  },
});
