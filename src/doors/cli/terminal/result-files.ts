import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { listFiles } from "../../../contract/routes/agents.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import type { Api } from "./api.ts";

const MOST_AGENTS = 30;
const QUOTED = /"((?:[^"\\\n]|\\.){1,400}\.[A-Za-z0-9]{1,8})\\?"/g;
const BARE = /[^\s"'`「」『』()（）[\]{}<>,、。]{1,400}\.[A-Za-z0-9]{1,8}/g;

/** Files that the agents of a task wrote, and files that its result names, if they exist here. */
export async function resultFiles(api: Api, task: WireTaskDetail): Promise<readonly string[]> {
  const ids = new Set(task.executions.flatMap(({ agentIds }) => agentIds));
  const lists = await Promise.all(
    [...ids]
      .slice(0, MOST_AGENTS)
      // The files of an agent that has left the history are only missing from the list.
      .map((id) => api.call(listFiles, { params: { id } }).catch(() => undefined)),
  );
  const written = lists.flatMap((list) =>
    list
      ? [...list.createdFiles, ...list.editedFiles].map((file) =>
          resolve(list.workingDirectory, file),
        )
      : [],
  );
  const { summary, response } = task.executions.at(-1) ?? {};
  const named = namedPaths(`${summary ?? ""}\n${response ?? ""}`)
    .map((path) => resolve(task.workingDirectory, path))
    .filter(isFile);
  return [...new Set([...written, ...named])];
}

/** What looks like the path of a file in a text. */
export function namedPaths(text: string): readonly string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, path = ""]) => path.replaceAll("\\\\", "\\"));
  const bare = [...text.matchAll(BARE)].map(([path]) => path);
  return [...new Set([...quoted, ...bare])].filter((path) => !path.includes("://"));
}

function isFile(path: string): boolean {
  try {
    return existsSync(path) && statSync(path).isFile();
  } catch {
    return false;
  }
}
