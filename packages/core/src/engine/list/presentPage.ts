/** Presents the items of a page. */
import type { Page } from "./ListQuery.js"

export const presentPage =
  <Stored, Shown>(present: (stored: Stored) => Shown) =>
  (page: Page<Stored>): Page<Shown> => ({ ...page, items: page.items.map(present) })
