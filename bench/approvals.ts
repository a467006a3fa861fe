import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../src/adapters/store/open-store.ts";
import { anApproval } from "../test/kit/approvals.ts";
import { NOON } from "../test/kit/builders.ts";
import type { Bench, Context } from "./kit/bench.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, urlOf, type Place } from "./kit/place.ts";
import { timed } from "./kit/stats.ts";

const PENDING = 1_000;
const CALLS = 300;
const WARM_UP = 50;
const LIMIT = 100;

const idOf = (index: number) => `apr-${String(index).padStart(6, "0")}` as const;

/** Listing and deciding must stay fast with a thousand pending approvals. */
export const approvals: Bench = async (context) => {
  const place = aPlace(context.product);
  context.say(`writing ${PENDING} pending approvals`);
  // Every decision removes one; with these extras at least a thousand are always pending.
  await seed(place, PENDING + CALLS + WARM_UP);
  await aDaemon(context, place);
  const url = urlOf(place);
  const floor = aBareCommit(context, place);
  const list: Samples = { product: [], floor: [] };
  const decide: Samples = { product: [], floor: [] };
  for (let i = -WARM_UP; i < CALLS; i++) {
    const index = i + WARM_UP;
    const listed = await timed(() =>
      call(url, "GET", `/api/approvals?status=pending&limit=${LIMIT}`),
    );
    const decided = await timed(() =>
      call(url, "POST", `/api/approvals/${idOf(index)}/decision`, {
        decision: "approve",
        version: 1,
      }),
    );
    const bare = await timed(() => floor(index));
    if (i < 0) continue;
    list.product.push(listed);
    list.floor.push(bare);
    decide.product.push(decided);
    decide.floor.push(bare);
  }
  const goal = { atMost: 10 };
  const beside = "floor: one insert and commit";
  return [
    {
      name: `page of ${LIMIT} of ${PENDING} pending approvals (${beside})`,
      unit: "ms",
      ...list,
      goal,
    },
    { name: `decision with ${PENDING} pending (${beside})`, unit: "ms", ...decide, goal },
  ];
};

type Samples = { readonly product: number[]; readonly floor: number[] };

async function seed(place: Place, count: number): Promise<void> {
  const store = await openStore({ dataDir: place.dataDir });
  await store.transaction(async (unit) => {
    for (let index = 0; index < count; index++) {
      const shown = { tool: "write_rows", args: { rows: "残業時間".repeat(50), index } };
      await unit.insertApproval(anApproval({ id: idOf(index), createdAt: NOON + index, shown }));
    }
  });
  await store.close();
}

async function call(url: string, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
}

/** A row as durable as ours, in another database, because only the daemon may open ours. */
function aBareCommit({ ends }: Context, place: Place): (index: number) => Promise<void> {
  const db = new DatabaseSync(join(place.dataDir, "floor.db"));
  ends.defer(() => db.close());
  db.exec("pragma journal_mode = wal; pragma synchronous = full");
  db.exec("create table rows (id integer primary key, text text)");
  const insert = db.prepare("insert into rows (text) values (?)");
  return async (index) => void insert.run(`${index} ${"x".repeat(1_000)}`);
}
