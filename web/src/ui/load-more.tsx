import { useEffect, useEffectEvent, useRef } from "react";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "./button.tsx";

export type LoadMoreProps = {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
};

/** Distance at which loading starts, so that a scrolling reader does not wait. */
const AHEAD = "1600px";

/** Loads the next page when it scrolls into reach or is pressed. */
export function LoadMore({ hasMore, isLoading, onMore }: LoadMoreProps) {
  const text = useTexts(COMMON);
  const end = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(onMore);
  useEffect(() => {
    const element = end.current;
    if (!element || !hasMore || isLoading) return;
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && more(),
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, isLoading]);
  if (!hasMore) return null;
  return (
    <div ref={end} className="flex justify-center py-4">
      <Button onPress={onMore} isPending={isLoading}>
        {isLoading ? text.loading : text.more}
      </Button>
    </div>
  );
}
