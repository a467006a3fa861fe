import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const DIALOG = "[role=dialog]";

/** The violations that axe finds, each with its place. */
export async function expectAccessible(page: Page, what = ""): Promise<void> {
  await expectNoViolations(page, what, (axe) => axe.withTags(TAGS));
}

/** Only the contrast, for the other theme of a page that has passed all rules. */
export async function expectContrast(page: Page, what = ""): Promise<void> {
  await expectNoViolations(page, what, (axe) => axe.withRules(["color-contrast"]));
}

const SIZES = [
  { width: 390, height: 844 },
  { width: 1_440, height: 900 },
];

/**
 * The layout and all rules of axe, on the phone and on the desktop, with the contrast of both themes.
 * With `screens`, each of the four is also written as `<screens>-<width>-<theme>.png`.
 */
export async function expectGood(page: Page, screens?: string): Promise<void> {
  for (const size of SIZES) {
    const shoot = async (theme: string): Promise<void> => {
      if (screens === undefined) return;
      await page.screenshot({ path: `${screens}-${size.width}-${theme}.png`, scale: "css" });
    };
    await page.setViewportSize(size);
    await expectAccessible(page, `at ${size.width}`);
    await shoot("dark");
    await page.emulateMedia({ colorScheme: "light" });
    await expectContrast(page, `at ${size.width}, light`);
    await shoot("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectLaidOut(page);
  }
}

async function expectNoViolations(
  page: Page,
  what: string,
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  // There are no frames; without the legacy mode every check opens a page of its own.
  const axe = choose(
    // Without the preload: axe copies style sheets of shadow roots into style elements, which the
    // content security policy blocks. Only an experimental rule needs them.
    new AxeBuilder({ page }).options({ resultTypes: ["violations"], preload: false }),
  ).setLegacyMode();
  // While a dialog is open the rest of the page is inert, including its headings and landmarks.
  if ((await page.locator(DIALOG).count()) > 0) axe.include(DIALOG);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.slice(0, 5).map(({ target, html }) => `${target.join(" ")} ${html.slice(0, 160)}`),
  }));
  expect(found, `axe ${what}`).toEqual([]);
}

/** No element overflows to the side and no two regions overlap. Independent of the width of glyphs. */
export async function expectLaidOut(page: Page): Promise<void> {
  expect(await page.evaluate(wideThings), "sticks out to the side").toEqual([]);
  expect(await page.evaluate(overlaps), "lie on each other").toEqual([]);
}

/** Runs in the page. */
function wideThings(): string[] {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth + 1) return [];
  const isClipped = (element: Element): boolean => {
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== "visible") return true;
    }
    return false;
  };
  const wide = [...document.body.querySelectorAll("*")].filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > root.clientWidth + 1 && !isClipped(element);
  });
  return [
    `the page is ${root.scrollWidth} wide, the window ${root.clientWidth}`,
    ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 160)),
  ];
}

/** Runs in the page: pairs of visible regions that overlap by more than a rounding error. */
function overlaps(): string[] {
  type Box = { left: number; top: number; right: number; bottom: number };
  const meet = (one: Box, other: Box): Box => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const isThere = ({ left, top, right, bottom }: Box) => right - left > 2 && bottom - top > 2;
  /** Scrolled content is clipped at the edge of its box. */
  const seen = (element: Element): Box => {
    let box: Box = element.getBoundingClientRect();
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow !== "visible") box = meet(box, up.getBoundingClientRect());
    }
    return box;
  };
  /** Fixed bars cover the content that scrolls beneath them, by design. */
  const floats = (element: Element): boolean => {
    for (let up: Element | null = element; up; up = up.parentElement) {
      const { position } = getComputedStyle(up);
      if (position === "fixed" || position === "sticky") return true;
    }
    return false;
  };
  /** Icons inside a control, such as the arrow of a select. */
  const isInsideField = (element: Element): boolean =>
    element.tagName === "BUTTON" &&
    getComputedStyle(element).position === "absolute" &&
    element.parentElement?.querySelector("input") !== null;
  const REGIONS =
    "main h1, main h2, main header, main footer, main nav, main aside, main section, main article, main form, main table, main li, main [role=region], main [role=row], main button, main input";
  const regions = [...document.querySelectorAll(REGIONS)]
    .filter((element) => !floats(element) && element.checkVisibility({ opacityProperty: true }))
    .filter((element) => !isInsideField(element))
    .map((element) => ({ element, box: seen(element) }))
    .filter(({ box }) => isThere(box));
  const found: string[] = [];
  for (const [index, one] of regions.entries()) {
    for (const other of regions.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (!isThere(meet(one.box, other.box))) continue;
      const names = [one, other].map(({ element }) => element.outerHTML.slice(0, 120));
      found.push(names.join("  ×  "));
    }
  }
  return found.slice(0, 5);
}
