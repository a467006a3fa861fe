import type { ReactNode } from "react";

export type PageHeadProps = {
  readonly title: string;
  /** One sentence about what this page is for. */
  readonly note?: ReactNode;
  readonly badge?: ReactNode;
  /** Buttons at the right; below the title on a phone. */
  readonly children?: ReactNode;
};

/** The one h1 of a page. */
export function PageHead({ title, note, badge, children }: PageHeadProps) {
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="flex flex-wrap items-center gap-2.5 text-xl leading-8 font-bold">
          {title}
          {badge}
        </h1>
        {note && <p className="max-w-4xl text-pretty text-text-2">{note}</p>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}

export function SectionHead({
  title,
  badge,
  note,
  children,
}: {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-2 text-[15px] font-bold">
          {title}
          {badge}
        </h2>
        {note && <p className="max-w-4xl text-xs text-pretty text-text-3">{note}</p>}
      </div>
      {children}
    </div>
  );
}

export function CountBadge({ children }: { readonly children: ReactNode }) {
  return (
    <span className="rounded-full border border-line bg-raised px-2 font-mono text-xs leading-5 font-normal text-text-2">
      {children}
    </span>
  );
}
