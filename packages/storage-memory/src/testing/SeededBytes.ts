/** Bytes that look random and are the same for the same seed. */
import * as Utils from "effect/Utils"

export class SeededBytes {
  readonly #random: Utils.PCGRandom

  constructor(seed: number) {
    this.#random = new Utils.PCGRandom(seed)
  }

  readonly take = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => this.#random.integer(256))

  /** How far it is: with the same state, the same bytes follow. */
  get state(): Utils.PCGRandomState {
    return this.#random.getState()
  }

  set state(state: Utils.PCGRandomState) {
    this.#random.setState(state)
  }
}
