import { LIVE_PROTOCOL, SESSION_PROTOCOL_PREFIX } from "../../../src/contract/http-headers.ts";
import type { ServerFrame } from "../../../src/contract/live.ts";
import { get } from "../api/http.ts";
import { sessionKey, watchSessionKey } from "../api/session-key.ts";
import { createFrameReader, type FrameListeners } from "./frame-reader.ts";
import { setConnection, useLive } from "./store.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** After this long without a message, a hello finds out whether the connection still works. */
const SILENT_MS = 30_000;

export type LiveOptions = FrameListeners & { readonly url: string };

/** One WebSocket for the whole page; resumes after its last event and shows when it is not live. */
export function connectLive(options: LiveOptions): () => void {
  let socket: WebSocket | undefined;
  let waitMs = FIRST_WAIT_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Date.now();
  let isClosed = false;
  const frames = createFrameReader(options);

  function open(): void {
    clearTimeout(retry);
    if (isClosed) return;
    socket = new WebSocket(options.url, protocols());
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
    to.send(JSON.stringify({ t: "hello", ...frames.position(), locale: navigator.language }));
  }

  function lose(): void {
    socket = undefined;
    if (isSignedOutNow()) return;
    setConnection({ status: "lost" });
    if (isClosed) return;
    // A refused WebSocket gives no reason. This request notices a sign-out, which ends the retries.
    get("/api/me").catch(() => undefined);
    retry = setTimeout(open, waitMs * (0.75 + Math.random() / 2));
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }

  function take(from: WebSocket, frame: ServerFrame): void {
    const taken = frames.take(frame);
    if (taken === "gap") hello(from);
    if (taken !== "applied") return;
    waitMs = FIRST_WAIT_MS;
    setConnection({ status: "live", asOf: Date.now(), seq: frames.seq() });
  }

  /** A socket may look open long after the machine has slept. */
  function check(): void {
    if (document.hidden || isClosed) return;
    if (isSignedOutNow()) return;
    if (!socket) return open();
    if (Date.now() - heardAt > SILENT_MS && socket.readyState === WebSocket.OPEN) hello(socket);
  }
  document.addEventListener("visibilitychange", check);
  window.addEventListener("online", check);

  const stopWatching = watchSignIn({
    onSignedOut() {
      clearTimeout(retry);
      frames.forget();
      socket?.close();
    },
    onSignedIn() {
      if (!socket) open();
    },
  });

  open();
  return () => {
    isClosed = true;
    stopWatching();
    frames.close();
    clearTimeout(retry);
    document.removeEventListener("visibilitychange", check);
    window.removeEventListener("online", check);
    socket?.close();
  };
}

/** Follows the person's sign-in in this tab and, through the session key, in other tabs. */
function watchSignIn(on: { onSignedOut(): void; onSignedIn(): void }): () => void {
  const stopWatchingStatus = useLive.subscribe(({ connection }, before) => {
    const was = before.connection.status;
    if (connection.status === was) return;
    if (connection.status === "signed-out") on.onSignedOut();
    else if (was === "signed-out") on.onSignedIn();
  });
  const stopWatchingKey = watchSessionKey((isSignedIn) => {
    const isSignedOut = isSignedOutNow();
    if (isSignedIn && isSignedOut) setConnection({ status: "connecting" });
    if (!isSignedIn && !isSignedOut) get("/api/me").catch(() => undefined);
  });
  return () => {
    stopWatchingStatus();
    stopWatchingKey();
  };
}

function isSignedOutNow(): boolean {
  return useLive.getState().connection.status === "signed-out";
}

/** A browser cannot set headers of a WebSocket. The daemon answers with the first of these. */
function protocols(): string[] {
  const key = sessionKey();
  return key === null ? [LIVE_PROTOCOL] : [LIVE_PROTOCOL, SESSION_PROTOCOL_PREFIX + key];
}
