import { lazy, Suspense } from "react";
import { Loading } from "./notes.tsx";

const Body = lazy(async () => ({ default: (await import("./line-diff-body.tsx")).LineDiffBody }));

export type LineDiffProps = {
  readonly before: string;
  readonly after: string;
  /** Of the box, for those who do not see it. */
  readonly label: string;
};

/** Lines that were taken out and put in, with a few around them. */
export function LineDiff(props: LineDiffProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Body {...props} />
    </Suspense>
  );
}
