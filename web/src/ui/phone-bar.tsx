import type { ReactNode } from "react";

/** A bar above the tab bar of a phone, in reach of the thumb. Hidden on wide screens. */
export function PhoneBar({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {/* What the bar covers can still be scrolled into view. */}
      <div aria-hidden className="h-28 lg:hidden" />
      <div className="fixed inset-x-0 bottom-[calc(53px+env(safe-area-inset-bottom))] z-30 border-t border-pending/40 bg-yours-back px-4 py-3 shadow-[0_-8px_24px_var(--color-scrim)] lg:hidden">
        {children}
      </div>
    </>
  );
}
