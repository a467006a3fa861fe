import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_IDS, type ClientId } from "../../contract/mcp-clients.ts";
import { findOnPath } from "../runners/find-on-path.ts";
import { clientPlace, codeFolder, type Folders } from "./client-place.ts";

/** Programs of the clients, and files of a project that only they have. */
const SIGNS: Readonly<
  Record<ClientId, { readonly programs: readonly string[]; readonly files: readonly string[] }>
> = {
  cursor: { programs: ["cursor", "cursor-agent"], files: [".cursor"] },
  claude: { programs: ["claude"], files: [".mcp.json", ".claude"] },
  codex: { programs: ["codex"], files: [".codex"] },
  gemini: { programs: ["gemini"], files: [".gemini"] },
  vscode: { programs: ["code"], files: [".vscode"] },
  opencode: { programs: ["opencode"], files: ["opencode.json", "opencode.jsonc", ".opencode"] },
};

/** The clients whose program is on the PATH, or that have left files here or in the home directory. */
export async function findClients(folders: Folders): Promise<readonly ClientId[]> {
  const found = await Promise.all(
    CLIENT_IDS.map(async (client) => {
      const { programs, files } = SIGNS[client];
      const places = [
        ...files.map((file) => join(folders.project, file)),
        signAtHome(client, folders),
      ];
      const isHere = places.some((place) => existsSync(place));
      return isHere || (await hasProgram(programs, folders)) ? client : undefined;
    }),
  );
  return found.filter((client) => client !== undefined);
}

async function hasProgram(programs: readonly string[], { env }: Folders): Promise<boolean> {
  return (await findOnPath(programs, env["PATH"])) !== undefined;
}

/** The folder of the client's own file; of Claude Code, which has it in the home directory, the file. */
function signAtHome(client: ClientId, folders: Folders): string {
  if (client === "vscode") return join(codeFolder(folders).base, ...codeFolder(folders).names);
  const place = clientPlace(client, "global", folders);
  const names = place?.names ?? [];
  return join(place?.base ?? "", ...(names.length === 1 ? names : names.slice(0, -1)));
}
