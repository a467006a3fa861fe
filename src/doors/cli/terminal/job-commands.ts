import { nameCommands } from "../../../base/command-name.ts";
import { jobWords } from "../../../contract/job-words.ts";
import * as contract from "../../../contract/routes/jobs.ts";
import { visibleLine, visiblePreview } from "../../../contract/visible-text.ts";
import type { Api } from "./api.ts";
import { JOB_TEXTS } from "./job-texts.ts";
import { localTime } from "./local-time.ts";
import { printJson, printTable } from "./print-list.ts";
import type { Face } from "./session.ts";

/** The beginning of an id is enough to name a job, and leaves room for its error. */
const SHOWN_ID = 8;
const MOST = "500";

/** `kuromajutsu jobs` */
export async function listDeadJobs(
  { api, console, program }: Pick<Face, "api" | "console" | "program">,
  json: boolean,
): Promise<number> {
  const answer = await readJobs(api);
  if (json) return printJson(console, answer);
  const { jobs, total } = answer;
  const texts = JOB_TEXTS[api.locale];
  const { headings } = texts;
  printTable(console, {
    headings: [
      headings.id,
      headings.givenUp,
      headings.tries,
      headings.job,
      headings.about,
      headings.error,
    ],
    uncut: [0, 1],
    rows: jobs.map((job) => [
      job.jobId.slice(0, SHOWN_ID),
      localTime(job.givenUpAt),
      String(job.tries),
      visibleLine(jobWords(job.kind, api.locale)),
      visibleLine(job.subjectId),
      visiblePreview(job.error),
    ]),
    none: texts.none,
  });
  if (total > jobs.length) console.print(texts.more(total - jobs.length));
  if (jobs.length > 0) console.print(`\n${nameCommands(texts.hint, program)}`);
  return 0;
}

export type RetryDeadJobs = { readonly id: string | undefined; readonly json: boolean };

/** `kuromajutsu jobs retry [id]` */
export async function retryDeadJobs(
  { api, console }: Pick<Face, "api" | "console">,
  { id, json }: RetryDeadJobs,
): Promise<number> {
  const texts = JOB_TEXTS[api.locale];
  const found = id === undefined ? undefined : await findId(api, id);
  if (found?.isUnclear) throw new Error(texts.unclear(id ?? ""));
  const body = found === undefined ? {} : { jobId: found.id };
  const answer = await api.call(contract.retryDeadJobs, { body });
  if (json) return printJson(console, answer);
  console.print(answer.retried === 0 ? texts.none : texts.retried(answer.retried));
  return 0;
}

/** The id that begins like this; itself if none does, and the server refuses it. */
async function findId(api: Api, start: string) {
  const { jobs } = await readJobs(api);
  const [found, ...others] = jobs.filter(({ jobId }) => jobId.startsWith(start));
  return { id: found?.jobId ?? start, isUnclear: start === "" || others.length > 0 };
}

function readJobs(api: Api) {
  return api.call(contract.listDeadJobs, { query: { limit: MOST } });
}
