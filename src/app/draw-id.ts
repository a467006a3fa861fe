import { Refusal } from "../domain/refusal.ts";
import type { Random } from "./ports/world.ts";

const MAX_DRAWS = 200;

/**
 * Four hex digits collide in bursts: draws again until the id is free. `insert` returns false on a
 * collision.
 */
export async function drawId<Id>(
  random: Random,
  make: (hex: string) => Id,
  insert: (id: Id) => Promise<boolean>,
): Promise<Id> {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const id = make(random.hex(2));
    if (await insert(id)) return id;
  }
  throw new Refusal("IDS_EXHAUSTED", {
    en: ["No free id was found for this second.", "Wait a second and call again."],
    ja: ["この 1 秒の間に使える ID が残っていません。", "1 秒待って、もう一度呼んでください。"],
  });
}
