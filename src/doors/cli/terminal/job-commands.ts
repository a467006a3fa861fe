import { nameCommands } from "../../../base/command-name.ts";
import { jobWords } from "../../../contract/job-words.ts";
import * as contract from "../../../contract/routes/jobs.ts";
import { visibleLine, visiblePreview } from "../../../contract/visible-text.ts";
import type { Api } from "./api.ts";
import { findJobId, SHOWN_ID } from "./find-job-id.ts";
import { JOB_TEXTS } from "./job-texts.ts";
import { localTime } from "./local-time.ts";
import { printJson, printTable } from "./print-list.ts";
import type { Face } from "./session.ts";

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
  { api, console, program }: Pick<Face, "api" | "console" | "program">,
  { id, json }: RetryDeadJobs,
): Promise<number> {
  const texts = JOB_TEXTS[api.locale];
  const jobId = id === undefined ? undefined : await wholeId(api, id, program);
  const body = jobId === undefined ? {} : { jobId };
  const answer = await api.call(contract.retryDeadJobs, { body });
  if (json) return printJson(console, answer);
  console.print(answer.retried === 0 ? texts.none : texts.retried(answer.retried));
  return 0;
}

async function wholeId(api: Api, start: string, program: string): Promise<string> {
  const texts = JOB_TEXTS[api.locale];
  const listed = await readJobs(api);
  const found = findJobId(listed, start);
  if (found === "unclear") throw new Error(texts.unclear(start));
  if (found === "not_listed") {
    throw new Error(
      nameCommands(texts.notListed(start, listed.jobs.length, listed.total), program),
    );
  }
  return found.id;
}

function readJobs(api: Api) {
  return api.call(contract.listDeadJobs, { query: { limit: MOST } });
}
