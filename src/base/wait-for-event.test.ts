import { expect, test } from "vitest";
import { waitForEvent } from "./wait-for-event.ts";

function anEmitter() {
  const listeners = new Set<(news: string) => void>();
  return {
    listeners,
    emit: (news: string) => listeners.forEach((listener) => listener(news)),
    subscribe: (listener: (news: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const nothing = async () => undefined;
const unreadable = () => Promise.reject(new Error("unreadable"));
const { signal } = new AbortController();

test("a wait ends with the first event and unsubscribes", async () => {
  const { emit, listeners, subscribe } = anEmitter();
  const wait = waitForEvent({ subscribe, look: nothing, signal });
  await Promise.resolve();
  emit("first");
  emit("second");
  expect(await wait).toBe("first");
  expect(listeners.size).toBe(0);
});

test("a wait needs no event when the first look finds the news", async () => {
  const { listeners, subscribe } = anEmitter();
  expect(await waitForEvent({ subscribe, look: async () => "there", signal })).toBe("there");
  expect(listeners.size).toBe(0);
});

test("an event during the first look is not missed", async () => {
  const { emit, subscribe } = anEmitter();
  const look = async () => {
    emit("meanwhile");
    return undefined;
  };
  expect(await waitForEvent({ subscribe, look, signal })).toBe("meanwhile");
});

test("a wait ends without news when its time is over or its caller aborts", async () => {
  const { listeners, subscribe } = anEmitter();
  expect(await waitForEvent({ subscribe, look: nothing, withinMs: 1, signal })).toBeUndefined();
  expect(await waitForEvent({ subscribe, look: nothing, withinMs: -1, signal })).toBeUndefined();

  const caller = new AbortController();
  const wait = waitForEvent({ subscribe, look: nothing, signal: caller.signal });
  caller.abort();
  expect(await wait).toBeUndefined();
  const late = waitForEvent({ subscribe, look: nothing, signal: caller.signal });
  expect(await late).toBeUndefined();
  expect(listeners.size).toBe(0);
});

test("a wait unsubscribes when its first look fails", async () => {
  const { listeners, subscribe } = anEmitter();
  const wait = waitForEvent({ subscribe, look: unreadable, signal });
  await expect(wait).rejects.toThrow("unreadable");
  expect(listeners.size).toBe(0);
});
