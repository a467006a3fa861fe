import { requirePerson } from "../../../app/people/require-person.ts";
import { createTask } from "../../../app/tasks/create-task.ts";
import { refusalNotice } from "../cards/refusals.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import type { Actor } from "./act.ts";
import { answer } from "./answer.ts";
import type { Incoming } from "./context.ts";
import { DOOR_TEXTS, type DoorTexts } from "./door-texts.ts";
import type { SavedFile } from "./files.ts";

/** A message that asks for a task. */
export type TaskRequest = {
  readonly channel: string;
  /** The first message of the thread in which the cards are shown. */
  readonly threadTs: string;
  readonly messageTs: string;
  readonly text: string;
  readonly files: unknown;
};

/** The message has asked for a task before. */
class AlreadyRequested extends Error {}

/** Creates the task of a message once, with the thread that shows it. */
export async function requestTask(
  incoming: Incoming,
  request: SlackRequest,
  { identity, locale, place }: Actor,
  asked: TaskRequest,
): Promise<void> {
  const { core, files } = incoming;
  const { team, user } = request;
  const { channel, threadTs, messageTs } = asked;
  // Before the files are saved: they take space.
  requirePerson(identity, "operator");
  if (await core.store.getSlackRequest(team, channel, messageTs)) return;
  if (!incoming.requestLimit.admits(`${team}:${user}`)) {
    return answer(incoming, request, refusalNotice({ locale, reason: "tooMany" }), place);
  }
  const saved = await files.save({ team, channel, ts: messageTs }, asked.files);
  const thread = { team, channel, threadTs, messageTs, user, locale, at: core.clock.now() };
  try {
    await createTask(core, identity, {
      request: withFiles(asked.text, saved, DOOR_TEXTS[locale]),
      door: "slack",
      async also(unit, { id: taskId }) {
        if (!(await unit.insertSlackThread({ ...thread, taskId }))) throw new AlreadyRequested();
      },
    });
  } catch (error) {
    if (!(error instanceof AlreadyRequested)) throw error;
  }
}

function withFiles(text: string, files: readonly SavedFile[], texts: DoorTexts): string {
  if (files.length === 0) return text;
  const lines = files.map((file) =>
    "path" in file ? `- ${file.path}` : texts.notSaved(file.name, texts[file.problem]),
  );
  return [text || texts.filesOnly, "", texts.files, ...lines].join("\n");
}
