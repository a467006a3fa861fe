import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import { HISTORY_UNREADABLE, isWorkspaceError, uncertain } from "./final-errors.ts";
import { readPage, searchCall } from "./message-calls.ts";
import { expectFailure, settleFailure, settleRefusal, type Sending } from "./sending.ts";

const MAX_PAGES = 20;
const NO_THREAD = "thread_not_found";

/** Looks for a message whose post was not answered. If it is not there, it is posted again. */
export async function findLostPost(sending: Sending, message: SlackMessage): Promise<void> {
  const { key } = message;
  try {
    await store(sending, key, await search(sending, message));
  } catch (error) {
    const failed = expectFailure(error);
    if (failed.failure !== "refused") return settleFailure(sending, key, failed);
    // No message of ours can be in a thread that does not exist.
    if (failed.code === NO_THREAD) return store(sending, key, undefined);
    const isWorkspace = isWorkspaceError(failed.code);
    await settleRefusal(sending, key, isWorkspace ? uncertain(failed.code) : HISTORY_UNREADABLE);
  }
}

async function store({ outbox }: Sending, key: string, ts: string | undefined): Promise<void> {
  // Which rendering it shows is not known, so the newest is sent.
  const found = { status: "posted", sentHash: null, tries: 0 } as const;
  await outbox.change(key, (row) => ({
    ...row,
    error: null,
    ...(ts === undefined ? { status: "new" } : { ...found, ts }),
  }));
}

async function search(
  { api }: Pick<Sending, "api">,
  message: SlackMessage,
): Promise<string | undefined> {
  const botUser = await api.botUserOf(message.team);
  let cursor = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const call = searchCall(message, cursor);
    // The first call has its turn.
    const answer = page === 0 ? await api.send(call) : await api.call(call);
    const { found, next } = readPage(answer, message.key, botUser);
    if (found !== undefined || next === "") return found;
    cursor = next;
  }
  return undefined;
}
