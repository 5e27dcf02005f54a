/** The types of what tests need of ciCache.mjs. */
export declare const toolsFolder: string
export declare const hasTools: boolean
