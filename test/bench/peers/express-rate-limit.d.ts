/** What the Express peer uses of express-rate-limit, so that types are checked where it is not installed yet. */
declare module "express-rate-limit" {
  import type { Request, RequestHandler, Response } from "express"

  export const rateLimit: (options: {
    readonly windowMs: number
    readonly limit: (request: Request, response: Response) => number
    readonly keyGenerator: (request: Request, response: Response) => string
    readonly handler: (request: Request, response: Response) => unknown
    readonly legacyHeaders: boolean
    readonly standardHeaders?: "draft-7"
  }) => RequestHandler
}
