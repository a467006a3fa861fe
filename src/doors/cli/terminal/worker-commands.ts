import { nameCommands } from "../../../base/command-name.ts";
import * as contract from "../../../contract/routes/workers.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { printJson, printTable } from "./print-list.ts";
import type { Session } from "./session.ts";
import { WORKER_TEXTS } from "./worker-texts.ts";

type Face = Pick<Session, "api" | "console" | "program">;

/** `kuromajutsu worker add build-1`. The token goes to the output, so that it can go to a file. */
export async function addWorker(
  { api, console, program }: Face,
  name: string,
  labels: readonly string[] | undefined,
): Promise<number> {
  const body = { name, ...(labels && { labels: [...labels] }) };
  const { token } = await api.call(contract.addWorker, { body });
  process.stderr.write(`${nameCommands(WORKER_TEXTS[api.locale].added(name), program)}\n`);
  console.write(token);
  return 0;
}

/** `kuromajutsu worker list` */
export async function listWorkers({ api, console, program }: Face, json: boolean): Promise<number> {
  const answer = await api.call(contract.listWorkers, {});
  if (json) return printJson(console, answer);
  const texts = WORKER_TEXTS[api.locale];
  const { headings } = texts;
  return printTable(console, {
    headings: [
      headings.name,
      headings.state,
      headings.agents,
      headings.host,
      headings.version,
      headings.labels,
      headings.runners,
    ],
    uncut: [0],
    rows: answer.workers.map((worker) => [
      worker.name,
      worker.isDraining ? texts.draining : texts.state[worker.state],
      worker.slots === null ? "" : `${worker.agents}/${worker.slots}`,
      visibleLine(worker.host ?? ""),
      visibleLine(worker.version ?? ""),
      worker.labels.join(" "),
      worker.runners.join(" "),
    ]),
    none: nameCommands(texts.none, program),
  });
}

/** `kuromajutsu worker revoke build-1` */
export async function revokeWorker({ api, console }: Face, name: string): Promise<number> {
  const { agents } = await api.call(contract.revokeWorker, { params: { name } });
  console.print(WORKER_TEXTS[api.locale].revoked(name, agents));
  return 0;
}
