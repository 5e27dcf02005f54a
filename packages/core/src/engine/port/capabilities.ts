/** What core does where a synchronous storage lacks a capability. */
import type { DirectPort } from "./Storage.js"

/** The port with all of its capabilities. */
export type Direct = Required<DirectPort>

/** Adds a plain default for each capability that the port lacks. */
export const withDefaultCapabilities = (port: DirectPort): Direct => ({
  submit: port.write,
  dataVersion: () => Number.NaN,
  withSharedSnapshot: (run) => run(),
  endSharedSnapshot: () => undefined,
  ...port
})
