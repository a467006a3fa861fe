import { requireAgent } from "../../../../app/agents/require-agent.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { defineRoute } from "../../define-route.ts";

export const listFiles = defineRoute(contract.listFiles, {
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    // The result contains observed and reported files. Before it there are only the observed ones.
    const {
      editedFiles,
      createdFiles,
      deletedFiles = [],
    } = (await core.store.getResult(agent.id)) ?? (await core.store.getProgress(agent.id));
    return {
      agentId: agent.id,
      workingDirectory: agent.workingDirectory,
      editedFiles: [...editedFiles],
      createdFiles: [...createdFiles],
      ...(deletedFiles.length > 0 && { deletedFiles: [...deletedFiles] }),
    };
  },
});
