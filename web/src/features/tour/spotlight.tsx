import { useEffect, useState } from "react";
import type { Stage } from "./stage.ts";

/** Parts of the task page that name themselves with `data-tour`. */
export const TARGETS: Readonly<Partial<Record<Stage, string>>> = {
  prompt: "[data-tour=decide]",
  process: "[data-tour=decide]",
  check: "[data-tour=decide]",
  question: "[data-tour=decide]",
  block: "[data-tour=block]",
  unblock: "[data-tour=unblock]",
};

const LOOK_EVERY_MS = 200;
const MARGIN = 6;

type Place = {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
};

/** A ring around the part that the tour speaks of. It takes no clicks and no focus. */
export function Spotlight({ stage }: { readonly stage: Stage }) {
  const [place, setPlace] = useState<Place | null>(null);
  const target = TARGETS[stage];
  useEffect(() => {
    if (target === undefined) return;
    const look = () => {
      const next = placeOf(target);
      setPlace((now) => (isSame(now, next) ? now : next));
    };
    look();
    // Pages change for many reasons, so looking is simpler than listening to all of them.
    const timer = setInterval(look, LOOK_EVERY_MS);
    addEventListener("scroll", look, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      removeEventListener("scroll", look, { capture: true });
      setPlace(null);
    };
  }, [target]);
  if (!place) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed z-40 rounded-xl ring-2 ring-violet motion-safe:animate-pulse"
      style={place}
    />
  );
}

function placeOf(selector: string): Place | null {
  const found = [...document.querySelectorAll(selector)].find(
    (element) => element.getClientRects().length > 0,
  );
  // Behind a dialog there is nothing to point at.
  if (!found || document.querySelector("[role=dialog]")) return null;
  const { top, left, width, height } = found.getBoundingClientRect();
  return {
    top: top - MARGIN,
    left: left - MARGIN,
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
  };
}

function isSame(one: Place | null, other: Place | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.top === other.top &&
    one.left === other.left &&
    one.width === other.width &&
    one.height === other.height
  );
}
