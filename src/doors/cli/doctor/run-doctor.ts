import { eachAtMost } from "../../../app/each-at-most.ts";
import { checkRunner, getSystem, listRunners } from "../../../contract/routes/health.ts";
import type { WireRunnerCheck } from "../../../contract/shapes/health.ts";
import type { Cli } from "../cli.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import type { Api } from "../terminal/api.ts";
import { connectApi } from "../terminal/connect-api.ts";
import { DOCTOR_TEXTS } from "./doctor-texts.ts";
import { renderCheck, renderHead } from "./render-check.ts";
import { createStatusLine } from "./status-line.ts";

/** Each CLI needs a process or two and much memory. */
const AT_ONCE = 2;

type Runner = WireRunnerCheck["runner"];

export type RunDoctor = {
  /** undefined: every CLI that this version can run. */
  readonly wanted: readonly Runner[] | undefined;
  readonly json: boolean;
};

/** `kuromajutsu doctor`: the daemon runs the CLIs, as it would run their agents. */
export async function runDoctor(cli: Cli, { wanted, json }: RunDoctor): Promise<number> {
  const api = await connectApi(cli);
  const { locale } = api;
  const texts = DOCTOR_TEXTS[locale];
  const line = createStatusLine(process.stderr, texts.checking);
  const ownKeys = Object.keys(process.env).filter((name) => process.env[name]);
  const print = (text: string): void => {
    if (!json) line.above(() => writeWrapped(process.stdout, `${text}\n`));
  };
  const ids = await chooseRunners(api, wanted);
  const checks: WireRunnerCheck[] = [];
  print(renderHead(locale));
  await eachAtMost(AT_ONCE, ids, async (id) => {
    line.add(id);
    const check = await api.call(checkRunner, { params: { id } }).finally(() => line.remove(id));
    checks.push(check);
    print(renderCheck(check, locale, ownKeys));
  });

  const works = checks.filter(isWorking).length;
  if (json) {
    const inOrder = ids.flatMap((id) => checks.filter(({ runner }) => runner === id));
    process.stdout.write(`${JSON.stringify({ ok: works > 0, runners: inOrder }, null, 2)}\n`);
  } else {
    print(`\n${texts.summary(works, checks.length)}`);
    const { rehearsalNote } = await api.call(getSystem);
    if (rehearsalNote !== undefined) print(rehearsalNote);
  }
  return works > 0 ? 0 : 1;
}

async function chooseRunners(
  api: Api,
  wanted: readonly Runner[] | undefined,
): Promise<readonly Runner[]> {
  if (wanted) return [...new Set(wanted)];
  const { runners } = await api.call(listRunners);
  return runners.map(({ runner }) => runner);
}

function isWorking({ status }: WireRunnerCheck): boolean {
  return status === "works" || status === "limited";
}
