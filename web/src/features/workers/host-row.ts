/** One line per worker or server on a wide screen, with the same columns in every row. */
export const HOST_ROW =
  "grid items-center gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,5fr)_9rem_minmax(0,4fr)_13rem_6rem] max-lg:*:empty:hidden";
