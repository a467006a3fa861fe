import { aPage, measure, type Motion, type WebBench } from "./kit.ts";
import { AGENT, LINES } from "./long-transcript.ts";

const REPETITIONS = 3;
const MEASURE_MS = 5_000;
const BOX = "main [role=region][tabindex='0']";

/** Scrolling through a transcript of 50,000 lines. */
export const transcript: WebBench = async (web) => {
  const ours: Motion[] = [];
  const bare: Motion[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    web.say(`${LINES} lines, ${i} of ${REPETITIONS}`);
    bare.push(await scrolled(`${web.standIn}/bare-list`, "#box"));
    ours.push(await scrolled(`${web.standIn}/agents/${AGENT}`, BOX));
  }

  async function scrolled(url: string, box: string): Promise<Motion> {
    const { page, context } = await aPage(web);
    await page.goto(url);
    await page.locator(box).first().waitFor();
    // The transcript is complete when the box is as high as its lines.
    await page.waitForFunction(
      ({ selector, least }) => (document.querySelector(selector)?.scrollHeight ?? 0) > least,
      { selector: box, least: LINES * 15 },
      { timeout: 120_000 },
    );
    await page.waitForTimeout(1_000);
    const motion = await measure(page, MEASURE_MS, box);
    await context.close();
    return motion;
  }

  return [
    {
      name: `scrolling ${LINES} lines of a transcript (floor: bare list)`,
      unit: "fps",
      product: ours.map(({ fps }) => fps),
      floor: bare.map(({ fps }) => fps),
      goal: { text: ">= 55", isMet: (product) => product >= 55 },
    },
    {
      name: `main thread while scrolling (floor: bare list)`,
      unit: "%",
      product: ours.map(({ busy }) => busy),
      floor: bare.map(({ busy }) => busy),
      goal: { text: "-", isMet: () => true },
    },
  ];
};
