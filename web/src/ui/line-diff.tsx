import { lazy, Suspense } from "react";
import { Loading } from "./notes.tsx";

const Body = lazy(async () => ({ default: (await import("./line-diff-body.tsx")).LineDiffBody }));

export type LineDiffProps = {
  readonly before: string;
  readonly after: string;
  /** Accessible name of the box. */
  readonly label: string;
};

/** Removed and added lines, with some context. */
export function LineDiff(props: LineDiffProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Body {...props} />
    </Suspense>
  );
}
