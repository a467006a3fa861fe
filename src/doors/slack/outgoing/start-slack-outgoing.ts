import type { TaskId } from "../../../domain/ids.ts";
import type { DesiredMessage, Urgency } from "./desired-message.ts";
import { createProjector, type ProjectorOptions } from "./projector.ts";
import { putDesired } from "./put-desired.ts";
import { createSender, type SenderOptions } from "./sender.ts";

export type StartSlackOutgoing = Omit<ProjectorOptions, "onStored"> &
  Pick<SenderOptions, "api" | "later">;

/** A message that is about no task and no group of ours, such as an alert. */
export type SlackText = {
  readonly team: string;
  /** The id of a channel or of a user. */
  readonly channel: string;
  /** The text for notifications; Slack shows it if there are no blocks. */
  readonly text: string;
  readonly blocks?: readonly unknown[];
  /** The same key again changes the message instead of posting another. */
  readonly key: string;
  readonly urgency?: Urgency;
};

export type SlackOutgoing = {
  /** The task got its thread. Later changes are found by themselves. */
  taskChanged(taskId: TaskId): void;
  /** Resolves once the message is stored; it is sent in the background. */
  postText(text: SlackText): Promise<void>;
  /** A workspace was installed or repaired: what could not be shown there is tried again. */
  resume(): Promise<void>;
  /** Resolves when everything that may be sent now is sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** Everything that goes out to Slack. What was not sent when the daemon ended is sent now. */
export async function startSlackOutgoing(options: StartSlackOutgoing): Promise<SlackOutgoing> {
  const { core } = options;
  const projector = createProjector({ ...options, onStored: () => sender.wake() });
  const sender = createSender({
    ...options,
    onDead({ taskId }) {
      if (taskId !== null) projector.taskChanged(taskId);
    },
  });
  await projector.resume();
  sender.wake();

  return {
    taskChanged: (taskId) => projector.taskChanged(taskId),
    resume: () => projector.resume(),
    async postText({ team, channel, key, text, blocks, urgency = "person" }) {
      const content = { text, ...(blocks && { blocks }) };
      const message: DesiredMessage = { key: `text:${key}`, urgency, content };
      const place = { team, channel, threadTs: null, taskId: null, groupId: null };
      await core.store.transaction((unit) => putDesired(core, unit, { place, message }));
      sender.wake();
    },
    async idle() {
      await projector.idle();
      await sender.idle();
    },
    async close() {
      await projector.close();
      await sender.close();
    },
  };
}
