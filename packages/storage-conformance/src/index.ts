/** The promises of the pet store's storage ports, as claims any test runner can run. */
export { type Claim, ClaimFailed } from "./Claim.js"
export { claims, directClaims } from "./claims.js"
export { dataVersionClaims } from "./dataVersion.js"
