import type { WireEvent } from "../../../src/contract/events/events.ts";
import { LIVE_PROTOCOL, SESSION_PROTOCOL_PREFIX } from "../../../src/contract/http-headers.ts";
import type { ServerFrame } from "../../../src/contract/live.ts";
import { get } from "../api/http.ts";
import { sessionKey, watchSessionKey } from "../api/session-key.ts";
import { applyToStore, replaceState, setConnection, useLive } from "./store.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The daemon pings every 15 s below this level; silence longer than this is a dead line. */
const SILENT_MS = 30_000;

export type LiveOptions = {
  readonly url: string;
  readonly onEvents: (events: readonly WireEvent[]) => void;
  /** After every snapshot: whatever was read before may be old. */
  readonly onSnapshot: () => void;
};

/** One WebSocket for the whole page; resumes where it was, and never pretends to be live. */
export function connectLive({ url, onEvents, onSnapshot }: LiveOptions): () => void {
  let socket: WebSocket | undefined;
  let epoch: string | undefined;
  let seq = 0;
  let waitMs = FIRST_WAIT_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Date.now();
  let isClosed = false;
  let queue: WireEvent[] = [];
  let isFrameAsked = false;
  let recent = 0;

  function open(): void {
    clearTimeout(retry);
    if (isClosed) return;
    socket = new WebSocket(url, protocols());
    const mine = socket;
    mine.addEventListener("open", () => hello(mine));
    mine.addEventListener("message", ({ data }) => {
      heardAt = Date.now();
      take(mine, JSON.parse(String(data)));
    });
    mine.addEventListener("close", () => {
      if (mine === socket) lose();
    });
  }

  function hello(to: WebSocket): void {
    to.send(
      JSON.stringify({ t: "hello", ...(epoch && { epoch, seq }), locale: navigator.language }),
    );
  }

  function lose(): void {
    socket = undefined;
    if (useLive.getState().connection.status === "signed-out") return;
    setConnection({ status: "lost" });
    if (isClosed) return;
    // A refused WebSocket does not say why; this does, and then nobody knocks on.
    get("/api/me").catch(() => undefined);
    retry = setTimeout(open, waitMs * (0.75 + Math.random() / 2));
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }

  function take(from: WebSocket, frame: ServerFrame): void {
    switch (frame.t) {
      case "snapshot":
        queue = [];
        ({ epoch, seq } = frame);
        replaceState(frame.state);
        onSnapshot();
        return alive();
      case "resumed":
        ({ epoch, seq } = frame);
        enqueue(frame.ev);
        return alive();
      case "events":
        if (frame.from !== seq + 1) return hello(from);
        seq = frame.to;
        enqueue(frame.ev);
        return alive();
      case "done":
      case "error":
        return;
    }
  }

  function alive(): void {
    waitMs = FIRST_WAIT_MS;
    setConnection({ status: "live", asOf: Date.now(), seq });
  }

  /** Once per frame of the screen, however many messages come. */
  function enqueue(events: readonly WireEvent[]): void {
    queue.push(...events);
    recent += events.length;
    if (isFrameAsked) return;
    isFrameAsked = true;
    const run = () => {
      isFrameAsked = false;
      const now = queue;
      queue = [];
      applyToStore(now);
      onEvents(now);
    };
    // A hidden tab gets no animation frames; its title badge must still be right.
    if (document.hidden) setTimeout(run, 250);
    else requestAnimationFrame(run);
  }

  const rate = setInterval(() => {
    setConnection({ eventsPerSecond: recent });
    recent = 0;
  }, 1_000);

  /** A socket may look open long after the machine has slept. */
  function check(): void {
    if (document.hidden || isClosed) return;
    if (useLive.getState().connection.status === "signed-out") return;
    if (!socket) return open();
    if (Date.now() - heardAt > SILENT_MS && socket.readyState === WebSocket.OPEN) hello(socket);
  }
  document.addEventListener("visibilitychange", check);
  window.addEventListener("online", check);

  const stopWatching = useLive.subscribe(({ connection }, before) => {
    const was = before.connection.status;
    if (connection.status === was) return;
    if (connection.status === "signed-out") {
      clearTimeout(retry);
      epoch = undefined;
      socket?.close();
    } else if (was === "signed-out" && !socket) open();
  });

  const stopWatchingKey = watchSessionKey((isSignedIn) => {
    const isSignedOut = useLive.getState().connection.status === "signed-out";
    if (isSignedIn && isSignedOut) setConnection({ status: "connecting" });
    if (!isSignedIn && !isSignedOut) get("/api/me").catch(() => undefined);
  });

  open();
  return () => {
    isClosed = true;
    stopWatching();
    stopWatchingKey();
    clearInterval(rate);
    clearTimeout(retry);
    document.removeEventListener("visibilitychange", check);
    window.removeEventListener("online", check);
    socket?.close();
  };
}

/** A browser cannot set headers of a WebSocket. The daemon answers with the first of these. */
function protocols(): string[] {
  const key = sessionKey();
  return key === null ? [LIVE_PROTOCOL] : [LIVE_PROTOCOL, SESSION_PROTOCOL_PREFIX + key];
}
