/** Nobody answers: the daemon is gone, for now or for good. */
export class Offline extends Error {}

export async function send(
  path: string,
  init: RequestInit & { method: string },
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.body !== undefined) headers.set("content-type", "application/json");
  try {
    return await fetch(path, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Offline("The daemon does not answer.", { cause: error });
  }
}
