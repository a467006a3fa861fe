import {
  CHANGE_HEADER,
  LANGUAGE_HEADER,
  SESSION_HEADER,
} from "../../../src/contract/http-headers.ts";
import { useLocale } from "../i18n/locale.ts";
import { sessionKey } from "./session-key.ts";

/** The daemon does not answer. */
export class Offline extends Error {}

export type Heard = { readonly response: Response; readonly text: string };

/** Reads the whole answer: a truncated one counts as no answer. */
export async function send(path: string, init: RequestInit & { method: string }): Promise<Heard> {
  const headers = new Headers(init.headers);
  if (init.method !== "GET") headers.set(CHANGE_HEADER, "1");
  headers.set(LANGUAGE_HEADER, useLocale.getState().locale);
  const key = sessionKey();
  if (key !== null) headers.set(SESSION_HEADER, key);
  if (init.body !== undefined) headers.set("content-type", "application/json");
  try {
    const response = await fetch(path, { ...init, headers });
    const text = await response.text();
    if (isOfProxy(response)) throw new Error(`${response.status} ${response.statusText}`);
    return { response, text };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Offline("The daemon does not answer.", { cause: error });
  }
}

/** A proxy has answered instead of the daemon. */
function isOfProxy({ status, headers }: Response): boolean {
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") ?? false;
  return status >= 502 && status <= 504 && !isProblem;
}
