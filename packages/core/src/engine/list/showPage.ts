/** Presents the items of a page. */
import type { Page } from "./ListQuery.js"

export const showPage =
  <Stored, Shown>(show: (stored: Stored) => Shown) =>
  (page: Page<Stored>): Page<Shown> => ({ ...page, items: page.items.map(show) })
