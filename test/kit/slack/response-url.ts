import { contentOf } from "./api/chat.ts";
import { ApiError, type Args, type CheckBlocks } from "./api/method.ts";
import type { Content } from "./shapes.ts";
import {
  addMessage,
  findMessage,
  randomHex,
  withIds,
  type ResponseTarget,
  type World,
} from "./world.ts";

const VALID_MS = 30 * 60_000;
const MAX_USES = 5;

type NewTarget = Omit<ResponseTarget, "at" | "uses">;

/** The path of a new response URL, below `/actions/`. */
export function newResponseUrl(world: World, target: NewTarget): string {
  const id = randomHex(12);
  world.responseTargets.set(id, { ...target, at: Date.now(), uses: 0 });
  return id;
}

/** Does what the app has posted to a response URL. Returns Slack's error, if any. */
export function useResponseUrl(
  world: World,
  id: string,
  args: Args,
  check: CheckBlocks,
): string | undefined {
  const target = world.responseTargets.get(id);
  if (!target || Date.now() - target.at > VALID_MS) return "expired_url";
  if (target.uses >= MAX_USES) return "used_url";
  target.uses += 1;
  if (args.flag("delete_original")) {
    removeOriginal(target);
    return undefined;
  }
  try {
    respond(world, target, args, withIds(contentOf({ args, check }).content));
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

function respond(world: World, target: ResponseTarget, args: Args, content: Content): void {
  const { team, channel, userId } = target;
  const threadTs = args.text("thread_ts") ?? target.threadTs;
  if (args.flag("replace_original") && replaceOriginal(target, content)) return;
  const place = team.channels.get(channel);
  if (args.text("response_type") === "in_channel" && place) {
    addMessage(world, place, { user: team.botUserId, botId: team.botId, threadTs }, content);
    return;
  }
  team.ephemerals.push({ ...content, ts: world.newTs(), channel, user: userId, threadTs });
}

function replaceOriginal({ team, channel, messageTs = "" }: ResponseTarget, content: Content) {
  const message = findMessage(team, channel, messageTs);
  if (message) {
    message.versions.push(content);
    return true;
  }
  const index = team.ephemerals.findIndex(({ ts }) => ts === messageTs);
  const before = team.ephemerals[index];
  if (!before) return false;
  team.ephemerals[index] = { ...before, ...content };
  return true;
}

function removeOriginal({ team, channel, messageTs = "" }: ResponseTarget): void {
  const message = findMessage(team, channel, messageTs);
  if (message) message.isDeleted = true;
  const index = team.ephemerals.findIndex(({ ts }) => ts === messageTs);
  if (index >= 0) team.ephemerals.splice(index, 1);
}
