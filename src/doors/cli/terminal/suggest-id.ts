import type { Locale } from "../../../domain/locale.ts";
import { nearestFew } from "../../../domain/text/nearest.ts";
import { USAGE_TEXTS } from "../usage-texts.ts";
import { Problem } from "./api.ts";

export type Suggesting = {
  readonly id: string;
  /** The refusal that says that there is no such id. */
  readonly code: string;
  readonly known: () => Promise<readonly string[]>;
};

const MOST = 3;

/** Adds "did you mean" to the refusal of an id that does not exist. */
export async function suggestingIds<Answer>(
  locale: Locale,
  { id, code, known }: Suggesting,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== code) throw error;
    const similar = similarIds(id, await known().catch(() => []));
    if (similar.length === 0) throw error;
    throw new Error(`${error.message}\n${USAGE_TEXTS[locale].didYouMean(similar.join(", "))}`, {
      cause: error,
    });
  }
}

/** Ids that begin or end like this one, such as a part that was copied; then those with a typo. */
export function similarIds(id: string, known: readonly string[]): readonly string[] {
  const wanted = id.toLowerCase();
  const parts = known.filter((each) => wanted.length > 3 && each.toLowerCase().includes(wanted));
  return (parts.length > 0 ? parts : nearestFew(id, known, MOST)).slice(0, MOST);
}
