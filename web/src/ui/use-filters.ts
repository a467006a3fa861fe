import { useNavigate, useSearch } from "@tanstack/react-router";

export type Filters = Readonly<Record<string, string | undefined>>;

/** Filters in the URL's search parameters. An empty filter is removed from the URL. */
export function useFilters(): readonly [Filters, (changes: Filters) => void] {
  const filters: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: Filters) =>
    void navigate({
      to: ".",
      search: (old: Filters) =>
        Object.fromEntries(Object.entries({ ...old, ...changes }).filter(([, value]) => value)),
      replace: true,
    });
  return [filters, change];
}
