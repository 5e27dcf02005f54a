/** Pseudorandom bytes, the same for the same seed. */
import * as Utils from "effect/Utils"

export class SeededBytes {
  readonly #random: Utils.PCGRandom

  constructor(seed: number) {
    this.#random = new Utils.PCGRandom(seed)
  }

  readonly take = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => this.#random.integer(256))

  /** The position in the sequence: the same state is followed by the same bytes. */
  get state(): Utils.PCGRandomState {
    return this.#random.getState()
  }

  set state(state: Utils.PCGRandomState) {
    this.#random.setState(state)
  }
}
