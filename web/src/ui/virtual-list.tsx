import { useVirtualizer, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from "react";
import { cx } from "./cx.ts";

type Rows = {
  readonly count: number;
  readonly keyOf: (index: number) => string | number;
  /** In pixels; the real height is measured. */
  readonly estimate: (index: number) => number;
  readonly render: (index: number) => ReactNode;
  readonly overscan?: number;
};

export type WindowListProps = Rows & { readonly className?: string };

/** A long list that scrolls with the page; only visible rows are in the document. */
export function WindowList({
  count,
  keyOf,
  estimate,
  render,
  overscan,
  className,
}: WindowListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    // Content above the list can change its height, which moves the list.
    const measure = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      setMargin(Math.round(top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: estimate,
    getItemKey: keyOf,
    overscan: overscan ?? 4,
    scrollMargin: margin,
    useFlushSync: false,
  });
  return (
    <div
      ref={list}
      className={cx("relative", className)}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map((item) => (
        <Row key={item.key} item={item} measure={virtual.measureElement} shift={margin}>
          {render(item.index)}
        </Row>
      ))}
    </div>
  );
}

function Row({
  item,
  measure,
  shift = 0,
  children,
}: {
  readonly item: VirtualItem;
  readonly measure: Ref<HTMLDivElement>;
  readonly shift?: number;
  readonly children: ReactNode;
}) {
  return (
    <div
      ref={measure}
      data-index={item.index}
      className="absolute inset-x-0 top-0"
      style={{ transform: `translateY(${item.start - shift}px)` }}
    >
      {children}
    </div>
  );
}

export type ScrollListProps = Rows & {
  readonly label: string;
  readonly className?: string;
  /** Keeps the end in view while rows are added. */
  readonly follow?: boolean;
  /** Called when the reader leaves the end or returns to it. */
  readonly onFollow?: (isAtEnd: boolean) => void;
  /** Above the first row. */
  readonly head?: ReactNode;
};

const NEAR_END_PX = 24;

/** A long list in its own scroll box. It scrolls by itself only while the reader is at its end. */
export function ScrollList(props: ScrollListProps) {
  const { count, keyOf, estimate, render, overscan, label, className, follow, onFollow } = props;
  const box = useRef<HTMLDivElement>(null);
  const seenTop = useRef(0);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: estimate,
    getItemKey: keyOf,
    overscan: overscan ?? 8,
    useFlushSync: false,
  });
  const height = virtual.getTotalSize();
  useLayoutEffect(() => {
    const element = box.current;
    if (!follow || !element) return;
    element.scrollTop = element.scrollHeight;
    seenTop.current = element.scrollTop;
  }, [follow, height]);
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const isUp = element.scrollTop < seenTop.current - 1;
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
    seenTop.current = element.scrollTop;
    if (isUp && rest > NEAR_END_PX) onFollow?.(false);
    else if (rest <= NEAR_END_PX) onFollow?.(true);
  };
  return (
    <div
      ref={box}
      role="region"
      aria-label={label}
      // A scroll box must be reachable by keyboard.
      tabIndex={0}
      onScroll={onScroll}
      className={cx("overflow-y-auto overscroll-contain [overflow-anchor:none]", className)}
    >
      {props.head}
      <div className="relative" style={{ height }}>
        {virtual.getVirtualItems().map((item) => (
          <Row key={item.key} item={item} measure={virtual.measureElement}>
            {render(item.index)}
          </Row>
        ))}
      </div>
    </div>
  );
}
