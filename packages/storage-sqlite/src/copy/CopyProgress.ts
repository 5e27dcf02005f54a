/** How far a copy is; the total may grow while the store is written. */
export type CopyProgress = { readonly copiedPages: number; readonly totalPages: number }
