import { expect, open, test } from "./kit.ts";
import { aDemo, type Demo } from "./kit/demo.ts";
import { walkTour } from "./kit/walk-tour.ts";

let demo: Demo;
test.beforeAll(async () => {
  demo = await aDemo();
});
test.afterAll(async () => expect(await demo.end()).toEqual([]));

test("the tour leads through the HR story of a demo", async ({ page, say }) => {
  await walkTour({ page, url: demo.url, story: "hr", say });
});

test("a daemon that is not a demo shows no tour", async ({ page, stage, say }) => {
  const { daemon } = await stage();
  await open(page, daemon.url, "/");
  await expect(page.getByRole("heading", { name: say("ようこそ", "Welcome") })).toHaveCount(0);
  await expect(page.getByRole("complementary", { name: say("ツアー", "Tour") })).toHaveCount(0);
});
