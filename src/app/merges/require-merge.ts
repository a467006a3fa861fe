import type { Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Queries } from "../ports/store.ts";

export async function requireMerge(queries: Pick<Queries, "getMerge">, id: string): Promise<Merge> {
  const merge = await queries.getMerge(id);
  if (merge) return merge;
  throw new Refusal("MERGE_NOT_FOUND", {
    en: [`There is no merge ${id}.`, "`kuromajutsu merges` lists the merges."],
    ja: [`取り込み ${id} はありません。`, "`kuromajutsu merges` で一覧を見られます。"],
  });
}
