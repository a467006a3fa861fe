import { expect, type CDPSession, type Locator, type Page } from "@playwright/test";

type Dragged = { items: { mimeType: string; data: string }[]; dragOperationsMask: number };
type Place = { readonly x: number; readonly y: number };

/**
 * Holds an element with a finger until the browser starts a drag, moves it and drops it. From the hold on
 * the page gets drag events instead of touch events, as on a phone.
 */
export async function dragByFinger(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await centreOf(from);
  const finger = await page.context().newCDPSession(page);
  // Without this a synthetic touch is never held long enough.
  await finger.send("Emulation.setEmitTouchEventsForMouse", {
    enabled: true,
    configuration: "mobile",
  });
  await finger.send("Input.setInterceptDrags", { enabled: true });
  const taken = held(finger);
  touch(finger, "mousePressed", start);
  const data = await taken;
  const end = await centreOf(to);
  await finger.send("Input.dispatchDragEvent", { type: "dragEnter", ...start, data });
  for (const place of [between(start, end), end]) {
    await finger.send("Input.dispatchDragEvent", { type: "dragOver", ...place, data });
  }
  await finger.send("Input.dispatchDragEvent", { type: "drop", ...end, data });
  touch(finger, "mouseReleased", end);
  await finger.send("Emulation.setEmitTouchEventsForMouse", { enabled: false });
  await finger.detach();
}

const LONG_ENOUGH_MS = 10_000;

/** The dragged data, once the browser has started a drag. */
function held(finger: CDPSession): Promise<Dragged> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error("The browser did not start a drag."));
    const timer = setTimeout(giveUp, LONG_ENOUGH_MS);
    finger.once("Input.dragIntercepted", ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    });
  });
}

/** Input that the browser turns into a drag is never acknowledged. */
function touch(finger: CDPSession, type: "mousePressed" | "mouseReleased", place: Place): void {
  const down = type === "mousePressed" ? 1 : 0;
  finger
    .send("Input.dispatchMouseEvent", {
      type,
      ...place,
      button: "left",
      buttons: down,
      clickCount: 1,
    })
    .catch(() => undefined);
}

async function centreOf(locator: Locator): Promise<Place> {
  await expect(locator).toBeVisible();
  const box = await locator.boundingBox();
  if (!box) throw new Error("It has no place on the page.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function between(one: Place, other: Place): Place {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
