import { Refusal } from "../domain/refusal.ts";
import type { Random } from "./ports/world.ts";

const MAX_DRAWS = 200;

/**
 * Four hex digits do clash in bursts: draw again until the store takes the id. `insert` answers
 * false on a clash.
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
  throw new Refusal(
    "IDS_EXHAUSTED",
    "No free id was found for this second.",
    "Wait a second and call again.",
  );
}
