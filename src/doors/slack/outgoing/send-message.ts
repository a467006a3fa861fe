import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import { fieldsOf, textOf, type Fields } from "../../../base/narrow.ts";
import { SlackCallFailed, type SlackAnswer, type SlackCall } from "../slack-api.ts";
import { isUnshowable } from "./final-errors.ts";
import { findLostPost } from "./find-lost-post.ts";
import {
  isForUser,
  isSnippet,
  openCall,
  postCall,
  searchCall,
  simplified,
  updateCall,
  uploadCall,
} from "./message-calls.ts";
import { endMessage, expectFailure, markSent, settleFailure, type Sending } from "./sending.ts";

/** A lost post may still be on its way, so look for it a little later. */
const LOOK_AFTER_MS = 2_000;

/** The call that a message needs next. It must have a turn before `sendMessage`. */
export function nextCall(message: SlackMessage): SlackCall {
  return { ...callFor(message), isUrgent: message.priority < 2 };
}

function callFor(message: SlackMessage): SlackCall {
  if (isSnippet(message)) return uploadCall(message);
  if (message.status === "posting") return searchCall(message, "");
  return message.ts === null ? postCall(message) : updateCall(message);
}

/** Makes the one call that a message needs next, and stores what came of it. */
export async function sendMessage(sending: Sending, message: SlackMessage): Promise<void> {
  if (isSnippet(message)) return upload(sending, message);
  if (message.status === "posting") return findLostPost(sending, message);
  return message.ts === null ? post(sending, message) : update(sending, message);
}

async function post(sending: Sending, { key }: SlackMessage): Promise<void> {
  const { api, outbox } = sending;
  if (!(await openDirectMessages(sending, key))) return;
  const message = await outbox.claim(key);
  if (!message) return;
  try {
    const show = (content?: Fields) => api.send(postCall(message, content));
    const ts = textOf((await withSimplerCard(sending, message, show))["ts"]);
    if (ts === undefined) throw new SlackCallFailed("lost", "unreadable_answer");
    await markSent(sending, message, ts);
  } catch (error) {
    const failed = expectFailure(error);
    if (failed.failure === "lost") return settleFailure(sending, key, failed, LOOK_AFTER_MS);
    await outbox.change(key, unclaimed);
    await settleFailure(sending, key, failed);
  }
}

/** It was not sent. A server that leads by now may have sent it meanwhile. */
function unclaimed(row: SlackMessage): SlackMessage {
  return row.status === "posting" ? { ...row, status: "new" } : row;
}

/** False: not yet. */
async function openDirectMessages(sending: Sending, key: string): Promise<boolean> {
  const { api, outbox } = sending;
  const message = await outbox.read(key);
  if (!message || !isForUser(message)) return message !== undefined;
  try {
    const { channel } = await api.call(openCall(message));
    const id = textOf(fieldsOf(channel)["id"]) ?? message.channel;
    await outbox.change(key, (row) => ({ ...row, channel: id }));
    return true;
  } catch (error) {
    await settleFailure(sending, key, expectFailure(error));
    return false;
  }
}

async function update(sending: Sending, { key }: SlackMessage): Promise<void> {
  const { api, outbox } = sending;
  const message = await outbox.read(key);
  if (!message || message.ts === null) return;
  try {
    const show = (content?: Fields) => api.send(updateCall(message, content));
    await withSimplerCard(sending, message, show);
    await markSent(sending, message);
  } catch (error) {
    await settleFailure(sending, key, expectFailure(error));
  }
}

/** Slack refuses a card only because of a mistake of ours. People must still be able to decide. */
async function withSimplerCard(
  { outbox }: Sending,
  message: SlackMessage,
  show: (content?: Fields) => Promise<SlackAnswer>,
): Promise<SlackAnswer> {
  try {
    return await show();
  } catch (error) {
    const { failure, code } = expectFailure(error);
    const simple = failure === "refused" && isUnshowable(code) ? simplified(message) : undefined;
    if (!simple) throw error;
    const entry = { action: "slack.card_simplified", error: code } as const;
    await outbox.audit(message.key, entry, (row) => row);
    return show(simple);
  }
}

async function upload(sending: Sending, { key, status }: SlackMessage): Promise<void> {
  // It may be there. A second one would confuse; the card refers to the dashboard instead.
  const lose = () => endMessage(sending, key, "upload_lost");
  if (status === "posting") return lose();
  const { api, outbox } = sending;
  const message = await outbox.claim(key);
  if (!message) return;
  try {
    await api.send(uploadCall(message));
    await markSent(sending, message);
  } catch (error) {
    const failed = expectFailure(error);
    if (failed.failure === "lost") return lose();
    await outbox.change(key, unclaimed);
    await settleFailure(sending, key, failed);
  }
}
