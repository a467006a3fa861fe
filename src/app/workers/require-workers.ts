import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { Workers } from "../ports/workers.ts";

/** With SQLite no other machine can run agents. */
export function requireWorkers({ workers }: Pick<Core, "workers">): Workers {
  if (workers) return workers;
  throw new Refusal("NEEDS_POSTGRESQL", {
    en: [
      "Workers on other machines need a PostgreSQL database, and this daemon uses SQLite.",
      "Set store.url, run `kuromajutsu migrate`, and start again. docs/scale.md explains it.",
    ],
    ja: [
      "ほかのマシンのワーカーには PostgreSQL のデータベースが必要ですが、このデーモンは SQLite を使っています。",
      "store.url を設定し、`kuromajutsu migrate` を実行して、起動し直してください。docs/scale.ja.md に説明があります。",
    ],
  });
}
