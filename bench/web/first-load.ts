import { gzipSync } from "node:zlib";
import { aPage, type WebBench, type WebContext } from "./kit.ts";

const REPETITIONS = 7;

/** The cost of the first visit: bytes of JavaScript, and the time until the first paint. */
export const firstLoad: WebBench = async (web) => {
  const ours: number[] = [];
  const whole: number[] = [];
  const empty: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    web.say(`first paint, ${i} of ${REPETITIONS}`);
    const { paint: floor } = await visit(web, `${web.url}/empty.html`, "p");
    const { paint, there } = await visit(web, `${web.url}/`, "main h1");
    empty.push(floor);
    ours.push(paint);
    whole.push(there);
  }
  return [
    {
      name: "first contentful paint (floor: empty page of the same daemon)",
      unit: "ms",
      product: ours,
      floor: empty,
      goal: {
        text: "<= 1.5x + 300",
        isMet: (product, floor) => product <= floor * 1.5 + 300,
      },
    },
    {
      name: "the dashboard is there (floor: first paint of the empty page)",
      unit: "ms",
      product: whole,
      floor: empty,
      goal: { text: "-", isMet: () => true },
    },
    {
      name: "JavaScript of the first load, gzip",
      unit: "kB",
      product: [await firstLoadBytes(web)],
      floor: [],
      goal: { text: "<= 220", isMet: (product) => product <= 220 },
    },
  ];
};

/** The time of the first paint, and the time when the dashboard was shown. */
async function visit(web: WebContext, url: string, what: string) {
  const { page, context } = await aPage(web);
  await page.addInitScript((selector) => {
    const found = Promise.withResolvers<number>();
    Object.assign(window, { found: found.promise });
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      found.resolve(performance.now());
    }).observe(document, { childList: true, subtree: true });
  }, what);
  await page.goto(url);
  const times = await page.evaluate(async () => {
    const paint = new Promise<number>((resolve) => {
      new PerformanceObserver((list) => {
        for (const { name, startTime } of list.getEntries()) {
          if (name === "first-contentful-paint") resolve(startTime);
        }
      }).observe({ type: "paint", buffered: true });
    });
    return { paint: await paint, there: Number(await Reflect.get(window, "found")) };
  });
  await context.close();
  return times;
}

/** All files that the dashboard loads at the start, without those loaded after a click. */
async function firstLoadBytes(web: WebContext): Promise<number> {
  const { page, context } = await aPage(web);
  const scripts: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (type.includes("javascript")) scripts.push(response.body());
  });
  await page.goto(`${web.url}/`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForTimeout(2_000);
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
  await context.close();
  web.say(`${sizes.length} scripts`);
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}
