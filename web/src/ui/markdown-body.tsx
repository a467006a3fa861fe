import ReactMarkdown, { type Components } from "react-markdown";

/** The page has its own h1 and h2, so agents' headings start at h3. */
const PARTS: Components = {
  h1: ({ children }) => <h3 className="mt-4 mb-1 text-[15px] font-bold first:mt-0">{children}</h3>,
  h2: ({ children }) => <h4 className="mt-4 mb-1 font-bold first:mt-0">{children}</h4>,
  h3: ({ children }) => <h5 className="mt-3 mb-1 font-semibold">{children}</h5>,
  h4: ({ children }) => <h6 className="mt-3 mb-1 font-semibold text-text-2">{children}</h6>,
  h5: ({ children }) => <p className="mt-3 mb-1 font-semibold text-text-2">{children}</p>,
  h6: ({ children }) => <p className="mt-3 mb-1 font-semibold text-text-2">{children}</p>,
  p: ({ children }) => <p className="my-2 first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol className="my-2 list-decimal pl-5" {...(start === undefined ? {} : { start })}>
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-l-2 border-line pl-3 text-text-2">{children}</blockquote>
  ),
  pre: ({ children }) => (
    <pre
      tabIndex={0}
      className="my-2 overflow-x-auto rounded-lg border border-line bg-base p-3 font-mono text-xs [&_code]:bg-transparent [&_code]:p-0"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => (
    <code className="rounded bg-raised px-1 py-0.5 font-mono text-[0.92em]">{children}</code>
  ),
  hr: () => <hr className="my-3 border-line" />,
  // Allow only http(s) links.
  a: ({ children, href }) =>
    href !== undefined && /^https?:/.test(href) ? (
      <a
        href={href}
        target="_blank"
        rel="noreferrer noopener nofollow"
        className="text-violet underline"
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ alt, src }) => (
    <span className="text-text-3">
      [{alt}] {typeof src === "string" ? src : ""}
    </span>
  ),
};

export function MarkdownBody({ text }: { readonly text: string }) {
  return (
    <div dir="auto" className="min-w-0 break-words">
      <ReactMarkdown components={PARTS} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  );
}
