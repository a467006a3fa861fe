import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A worktree on this worker. `key`: the name of its repository here. */
export type WorktreePlace = { readonly id: string; readonly key: string; readonly path: string };

const KEY = /^[0-9a-f]{16}$/;
const ID = /^wsp-[0-9A-Za-z]+$/;

/** Only directories of our own layout. */
export function placeOf(root: string, path: string): WorktreePlace {
  const [id, key] = [basename(path), basename(dirname(path))];
  if (!ID.test(id) || !KEY.test(key) || join(root, key, id) !== path) {
    throw new Error(`${path} is no place for a worktree of this worker.`);
  }
  return { id, key, path };
}

export async function listPlaces(root: string): Promise<readonly WorktreePlace[]> {
  const places: WorktreePlace[] = [];
  for (const key of await namesIn(root, KEY)) {
    for (const id of await namesIn(join(root, key), ID)) {
      places.push({ id, key, path: join(root, key, id) });
    }
  }
  return places;
}

async function namesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => pattern.test(name));
}
