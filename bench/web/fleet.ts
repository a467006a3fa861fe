import { AGENTS, UPDATES_PER_SECOND } from "./fleet-frames.ts";
import { aPage, measure, type Motion, type WebBench } from "./kit.ts";

const REPETITIONS = 3;
const MEASURE_MS = 8_000;
const SETTLE_MS = 3_000;

/** The dashboard with 500 agents and 2,000 updates a second. */
export const fleet: WebBench = async (web) => {
  const ours: Motion[] = [];
  const empty: Motion[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    web.say(`${AGENTS} agents, ${i} of ${REPETITIONS}`);
    empty.push(await one(`${web.standIn}/empty`));
    ours.push(await one(`${web.standIn}/`));
  }

  async function one(url: string): Promise<Motion> {
    const { page, context } = await aPage(web);
    await page.goto(url);
    await page.waitForTimeout(SETTLE_MS);
    const before = await seqOf(page);
    const motion = await measure(page, MEASURE_MS);
    if (before !== null) {
      const rate = ((await seqOf(page)) ?? 0) - before;
      const perSecond = rate / (MEASURE_MS / 1_000);
      web.say(`${Math.round(perSecond)} updates/s were applied, ${motion.fps.toFixed(1)} fps`);
      if (perSecond < UPDATES_PER_SECOND * 0.9) throw new Error("The page fell behind.");
    }
    await context.close();
    return motion;
  }

  const name = `${AGENTS} agents x ${UPDATES_PER_SECOND} updates/s`;
  return [
    {
      name: `${name} (floor: empty page)`,
      unit: "fps",
      product: ours.map(({ fps }) => fps),
      floor: empty.map(({ fps }) => fps),
      goal: { text: ">= 55", isMet: (product) => product >= 55 },
    },
    {
      name: `main thread, ${name} (floor: empty page)`,
      unit: "%",
      product: ours.map(({ busy }) => busy),
      floor: empty.map(({ busy }) => busy),
      goal: { text: "<= 40", isMet: (product) => product <= 40 },
    },
  ];
};

/** The counter in the rail: the updates that the page has applied so far. */
async function seqOf(page: Awaited<ReturnType<typeof aPage>>["page"]): Promise<number | null> {
  const note = page.locator("[data-seq]");
  if ((await note.count()) === 0) return null;
  return Number(await note.first().getAttribute("data-seq"));
}
