import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { until } from "../kit/daemon.ts";
import type { Json } from "./world.ts";

const eventShape = z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) });
const frameShape = z.looseObject({ t: z.string(), ev: z.array(eventShape).default([]) });
export type LiveEvent = z.infer<typeof eventShape>;

/** A WebSocket of a dashboard, by hand: it says hello (or nothing) and keeps every message. */
export async function aWatcher(url: string, hello?: Json, path = "/ws") {
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`);
  const messages: unknown[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString())));
  onTestFinished(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const frames = () => messages.map((message) => frameShape.parse(message));
  const events = () =>
    hello ? frames().flatMap(({ ev }) => ev) : messages.map((each) => eventShape.parse(each));
  const send = (message: Json) => socket.send(JSON.stringify(message));
  if (hello) send({ t: "hello", ...hello });
  return {
    send,
    events,
    /** Waits for a frame of this type, and answers with the newest. */
    frame: async (type: string) => {
      await until(() => frames().some(({ t }) => t === type));
      return frames().findLast(({ t }) => t === type);
    },
    reached: (isSo: (event: LiveEvent) => boolean) => until(() => events().some(isSo)),
  };
}

/**
 * Events of different subjects may overtake each other, those of one subject may not: they are
 * recorded by subject. How many updates an agent sends depends on the clock: they are joined, as
 * a dashboard joins them.
 */
export function bySubject(events: readonly LiveEvent[]): Json {
  const subjects = new Map<string, Json[]>();
  const updates = new Map<string, Json>();
  for (const { type, data } of events) {
    const [kind = ""] = type.split(":");
    const ids = [`${kind}Id`, "agentId", "groupId"].flatMap((key) => data[key] ?? []);
    const subject = `${kind} ${z.string().parse(ids[0] ?? "")}`;
    if (type === "agent:status_update") {
      updates.set(subject, { ...updates.get(subject), ...data });
    } else {
      subjects.set(subject, [...(subjects.get(subject) ?? []), { type, data }]);
    }
  }
  for (const [subject, data] of updates) {
    const rest = subjects.get(subject) ?? [];
    subjects.set(subject, [...rest, { type: "agent:status_update", data }]);
  }
  return Object.fromEntries(subjects);
}
