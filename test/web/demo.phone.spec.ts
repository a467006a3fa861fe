import { expect, test } from "./kit.ts";
import { aDemo, type Demo } from "./kit/demo.ts";
import { walkTour } from "./kit/walk-tour.ts";

let demo: Demo;
test.beforeAll(async () => {
  demo = await aDemo();
});
test.afterAll(async () => expect(await demo.end()).toEqual([]));

test("the tour leads through the coding story of a demo on a phone", async ({ page, say }) => {
  await walkTour({ page, url: demo.url, story: "coding", say });
});
